model Friction
  Real v(start = 1, fixed = true);
equation
  der(v) = 0.5 - 2*sign(v);
  annotation(experiment(StopTime = 2));
end Friction;
//! expect
