model Chattering
  Real x(start = 0.1, fixed = true);
equation
  der(x) = 1;
  when x > 0.2 then
    reinit(x, 0.2 - 1e-13);
  end when;
  annotation(experiment(StopTime = 1));
end Chattering;
//! expect
