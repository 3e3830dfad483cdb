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
// model Fluid.Mixing
//   parameter Real first.p = 3.0
//   parameter Real first.h = 10.0
//   Real first.inflow = one.a.h
//   Real first.through = smooth(0, if first.port.m > 0.0 then one.a.h else first.port.h)
//   Real first.port.p
//   Real first.port.m
//   Real first.port.h
//   parameter Real second.p = 2.0
//   parameter Real second.h = 20.0
//   Real second.inflow = two.a.h
//   Real second.through = smooth(0, if second.port.m > 0.0 then two.a.h else second.port.h)
//   Real second.port.p
//   Real second.port.m
//   Real second.port.h
//   parameter Real third.p = 1.0
//   parameter Real third.h = 1.0
//   Real third.inflow = three.b.h
//   Real third.through = smooth(0, if third.port.m > 0.0 then three.b.h else third.port.h)
//   Real third.port.p
//   Real third.port.m
//   Real third.port.h
//   Real one.a.p
//   Real one.a.m
//   Real one.a.h
//   Real one.b.p
//   Real one.b.m(max = 0.0)
//   Real one.b.h
//   Real two.a.p
//   Real two.a.m
//   Real two.a.h
//   Real two.b.p
//   Real two.b.m(max = 0.0)
//   Real two.b.h
//   Real three.a.p
//   Real three.a.m
//   Real three.a.h
//   Real three.b.p
//   Real three.b.m(max = 0.0)
//   Real three.b.h
// equation
//   first.port.p = first.p
//   first.port.h = first.h
//   second.port.p = second.p
//   second.port.h = second.h
//   third.port.p = third.p
//   third.port.h = third.h
//   one.a.m = one.a.p - one.b.p
//   one.a.m + one.b.m = 0.0
//   one.a.h = (noEvent(max(-three.a.m, 1e-7)) * three.a.h + noEvent(max(-two.b.m, 1e-7)) * two.b.h) / (noEvent(max(-three.a.m, 1e-7)) + noEvent(max(-two.b.m, 1e-7)))
//   one.b.h = first.port.h
//   two.a.m = two.a.p - two.b.p
//   two.a.m + two.b.m = 0.0
//   two.a.h = (noEvent(max(-one.b.m, 1e-7)) * one.b.h + noEvent(max(-three.a.m, 1e-7)) * three.a.h) / (noEvent(max(-one.b.m, 1e-7)) + noEvent(max(-three.a.m, 1e-7)))
//   two.b.h = second.port.h
//   three.a.m = three.a.p - three.b.p
//   three.a.m + three.b.m = 0.0
//   three.a.h = third.port.h
//   three.b.h = (noEvent(max(-one.b.m, 1e-7)) * one.b.h + noEvent(max(-two.b.m, 1e-7)) * two.b.h) / (noEvent(max(-one.b.m, 1e-7)) + noEvent(max(-two.b.m, 1e-7)))
//   first.port.p = one.a.p
//   first.port.m + one.a.m = 0.0
//   second.port.p = two.a.p
//   second.port.m + two.a.m = 0.0
//   one.b.p = three.a.p
//   one.b.p = two.b.p
//   one.b.m + three.a.m + two.b.m = 0.0
//   three.b.p = third.port.p
//   three.b.m + third.port.m = 0.0
// end Fluid.Mixing
