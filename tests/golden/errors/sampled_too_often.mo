model Often
  discrete Integer n(start = 0, fixed = true);
equation
  when sample(0, 1e-300) then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end Often;
//! expect
