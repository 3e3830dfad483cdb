// One linear and one nonlinear system, each iterating on one unknown; the other unknowns are assigned.
model Loop
  Real a, b, c, d, x(start = 1, fixed = true);
equation
  a + 2*b = x;
  a - b = 3*time;
  c = exp(d);
  c + d = x + 2;
  der(x) = a + c;
end Loop;
//! expect
// linear system 0 of 2 equations, iterating on 1 unknown
//   b := (x - a)/2
//   solve for a: 0 = a - b - 3*time
// nonlinear system 1 of 2 equations, iterating on 1 unknown
//   c := exp(d)
//   solve for d: 0 = c + d - (x + 2)
// der(x) := a + c
