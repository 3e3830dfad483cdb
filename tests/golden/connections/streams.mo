// Three ports meet: what flows in is mixed by the flows; one port can only take.
package Fluid
  connector Port
    Real p;
    flow Real m;
    stream Real h;
  end Port;
  model Tank
    parameter Real p = 1;
    parameter Real h = 1;
    Port port;
    Real inflow = inStream(port.h);
    Real through = actualStream(port.h);
  equation
    port.p = p;
    port.h = h;
  end Tank;
  model Valve
    Port a, b(m(max = 0));
  equation
    a.m = a.p - b.p;
    a.m + b.m = 0;
    a.h = inStream(b.h);
    b.h = inStream(a.h);
  end Valve;
  model Mixing
    Tank first(p = 3, h = 10), second(p = 2, h = 20), third(p = 1);
    Valve one, two, three;
  equation
    connect(first.port, one.a);
    connect(second.port, two.a);
    connect(one.b, three.a);
    connect(two.b, three.a);
    connect(three.b, third.port);
  end Mixing;
end Fluid;
//! expect
// potential: first.port.p, one.a.p
// flow: first.port.m, one.a.m
// stream: first.port.h, one.a.h
// potential: second.port.p, two.a.p
// flow: second.port.m, two.a.m
// stream: second.port.h, two.a.h
// potential: one.b.p, three.a.p, two.b.p
// flow: one.b.m, three.a.m, two.b.m
// stream: one.b.h, three.a.h, two.b.h
// potential: three.b.p, third.port.p
// flow: three.b.m, third.port.m
// stream: three.b.h, third.port.h
