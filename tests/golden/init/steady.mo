// A steady-state initial equation determines the state; the other state takes its start value.
model Steady
  Real x(start = 1), y(start = 2);
initial equation
  der(x) = 0;
equation
  der(x) = 4 - x*x;
  der(y) = x - y;
end Steady;
