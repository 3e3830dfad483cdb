// Equations in the wrong order, each solved for one unknown: sorting finds the order, and which unknown each one gives.
model Order
  Real a, b, c, d;
equation
  d = a*b + c;
  c - 2*b = 1;
  b*a = 6;
  3*a = time + 1;
end Order;
//! expect
// block 0: a from 3*a = time + 1
// block 1: b from a*b = 6
// block 2: c from c - 2*b = 1
// block 3: d from d = c + a*b
