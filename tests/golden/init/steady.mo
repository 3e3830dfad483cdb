// A steady-state initial equation determines the state; the other state takes its start value.
model Steady
  Real x(start = 1), y(start = 2);
initial equation
  der(x) = 0;
equation
  der(x) = 4 - x*x;
  der(y) = x - y;
end Steady;
//! expect
// der(x) := 0
// nonlinear system 0 of 1 equation, iterating on 1 unknown
//   solve for x: 0 = der(x) - (4 - x*x)
// y := start(y)
// der(y) := x - y
