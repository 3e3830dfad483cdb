// a = b, a = -b and a = constant are eliminated; attributes move to the survivor.
model Signs
  Real a(start = 2, fixed = true), b, c, d, e;
equation
  der(a) = b;
  a = c;
  c + d = 0;
  e = 3;
  b = d + e;
end Signs;
//! expect
// aliases of Signs: 3 eliminated
//   c = a
//   d = -a
//   e = 3
// equations
//   e0: der(a) = b
//   e1: b = 3 - a
