model Tolerance
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  annotation(experiment(StopTime = 1, Tolerance = 0));
end Tolerance;
//! expect
// error[R200]: the tolerance is 0, but has to be between 1e-14 and 1
//
