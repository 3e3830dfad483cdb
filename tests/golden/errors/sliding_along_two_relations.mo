model Corner
  Real x(start = 0.1, fixed = true), y(start = 0.1, fixed = true);
equation
  der(x) = if x > 0 then -1 else 1;
  der(y) = if y > 0 then -1 else 1;
  annotation(experiment(StopTime = 1));
end Corner;
//! expect
