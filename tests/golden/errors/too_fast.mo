model Fast
  Real x(start = 1, fixed = true);
equation
  der(x) = -1e300*x;
  annotation(experiment(StopTime = 1));
end Fast;
//! expect
