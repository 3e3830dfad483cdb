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
// error[R216]: infinitely many scheduled events accumulate: 47 came ever faster at time 1
//   ┌─ scheduled_events_accumulate.mo:5:8
//   │
// 5 │   when time >= pre(next) then
//   │        ^^^^^^^^^^^^^^^^^ `time >= pre(next)` switches again and again
//   │
//   = hint: the times between events must not shrink without end
//
