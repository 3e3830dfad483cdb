// The survivor is the state; it takes over the start value, and chains of equalities collapse.
model Attributes
  Real x, a(start = 3, fixed = true), b, c, d;
equation
  der(x) = -b;
  x = a;
  a = b;
  b = -c;
  d = 2*c + 1;
end Attributes;
//! expect
// aliases of Attributes: 3 eliminated
//   a = x
//   b = x
//   c = -x
// equations
//   e0: der(x) = -x
//   e1: d = 1 - 2*x
