// Components of one class with modifications, inheritance, and connections.
package P
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  partial model TwoPin
    Pin p;
    Pin n;
    Real v = p.v - n.v;
  equation
    p.i + n.i = 0;
  end TwoPin;
  model Resistor
    extends TwoPin;
    parameter Real R = 1;
  equation
    v = R*p.i;
  end Resistor;
  model Source
    extends TwoPin;
    parameter Real V = 1;
  equation
    v = V;
  end Source;
  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;
  model Circuit
    Resistor r(R = 5);
    Source s(V = 10);
    Ground g;
  equation
    connect(s.p, r.p);
    connect(r.n, s.n);
    connect(s.n, g.p);
  end Circuit;
end P;
//! expect
// model : P.Circuit
// r : P.Resistor
//   v
//   R
// r.p : P.Pin
//   v
//   i
// r.n : P.Pin
//   v
//   i
// s : P.Source
//   v
//   V
// s.p : P.Pin
//   v
//   i
// s.n : P.Pin
//   v
//   i
// g : P.Ground
// g.p : P.Pin
//   v
//   i
