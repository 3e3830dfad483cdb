// The start has a loop that the simulation does not have: the state follows from a condition on something else.
model InitialLoop
  parameter Real p(fixed = false, start = 1);
  Real x, y;
initial equation
  y = 3;
  p + x = 2;
equation
  der(x) = -p*x;
  y = x + x^3;
end InitialLoop;
//! expect
// y := 3
// nonlinear system 0 of 1 equation, iterating on 1 unknown
//   solve for x: 0 = y - (x + x^3)
// p := 2 - x
// der(x) := -p*x
