model Clock
  discrete Real next(start = 0.5, fixed = true);
  discrete Integer n(start = 0, fixed = true);
equation
  when time >= pre(next) then
    n = pre(n) + 1;
    next = pre(next) + 0.5^(pre(n) + 2);
  end when;
  annotation(experiment(StopTime = 2));
end Clock;
//! expect
