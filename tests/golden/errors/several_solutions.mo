model Roots
  Real x(start = 1.5);
  Real y(start = 0, fixed = true);
equation
  sin(x) = 0.5;
  der(y) = x;
  annotation(experiment(StopTime = 1));
end Roots;
//! expect
