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
// model Selective.SelectiveExtension
//   parameter Real a.R = 2.0
//   Real a.p.v
//   Real a.p.i
//   Real a.n.v
//   Real a.n.i
//   parameter Real c.R = 1.0
//   Real c.p.v
//   Real c.p.i
//   Real c.n.v
//   Real c.n.i
//   Real ground.p.v
//   Real ground.p.i
// equation
//   a.p.v = 1.0
//   a.p.i + a.n.i = 0.0
//   a.p.v - a.n.v = a.R * a.p.i
//   c.p.i + c.n.i = 0.0
//   c.p.v - c.n.v = c.R * c.p.i
//   ground.p.v = 0.0
//   c.n.v = ground.p.v
//   c.n.i + ground.p.i = 0.0
//   a.n.v = c.p.v
//   a.n.i + c.p.i = 0.0
//   a.p.i = 0.0
// end Selective.SelectiveExtension
