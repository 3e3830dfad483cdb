model Outside "A subscript that leaves its array while the model runs"
  parameter Real table[3] = {1.0, 2.0, 4.0};
  Integer i(start = 1, fixed = true);
  Real x(start = 0, fixed = true);
equation
  when time > 0.5 then
    i = pre(i) + 5;
  end when;
  der(x) = table[i];
  annotation(experiment(StopTime = 1));
end Outside;
//! expect
// error[R102]: the event cannot be handled at time 0.5
//   ┌─ subscript_out_of_range_at_run_time.mo:9:12
//   │
// 9 │   der(x) = table[i];
//   │            ^^^^^^^^ the subscript i is 6, which is outside 1:3
//
