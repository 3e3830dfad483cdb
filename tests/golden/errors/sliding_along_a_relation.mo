model Sliding
  Real x(start = 0.1, fixed = true);
equation
  der(x) = if x > 0 then -1 else 0.5;
  annotation(experiment(StopTime = 1));
end Sliding;
//! expect
