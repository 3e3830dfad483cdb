model Often
  discrete Integer n(start = 0, fixed = true);
equation
  when sample(0, 1e-300) then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end Often;
//! expect
// error[R217]: time does not advance: 20000 scheduled events went on by 2.000e-296 at time 4e-296
//   ┌─ sampled_too_often.mo:4:8
//   │
// 4 │   when sample(0, 1e-300) then
//   │        ^^^^^^^^^^^^^^^^^ samples every 1e-300
//   │
//   = hint: the times between events are far too short for the length of the run
//
