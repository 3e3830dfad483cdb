// `break` takes components and connections of a base away.
package Selective
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Resistor
    Pin p, n;
    parameter Real R = 1;
  equation
    p.i + n.i = 0;
    p.v - n.v = R*p.i;
  end Resistor;
  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;
  model Chain
    Resistor a, b, c;
    Ground ground;
  equation
    connect(a.n, b.p);
    connect(b.n, c.p);
    connect(c.n, ground.p);
    connect(a.p, c.p);
  end Chain;
  model SelectiveExtension
    extends Chain(break b, break connect(a.p, c.p), a(R = 2));
  equation
    connect(a.n, c.p);
    a.p.v = 1;
  end SelectiveExtension;
end Selective;
//! expect
