model OutsideOutput
  Real a[3](start = {1.0, 2.0, 4.0});
  Integer i;
  Real y;
algorithm
  i := if time < 0.5 then 2 else 7;
  a := {1.0, 2.0, 4.0};
  a[i] := time;
equation
  y = a[2] + (if i <= 3 then a[i] else 0);
  annotation(experiment(StopTime = 1));
end OutsideOutput;
//! expect
// error[R102]: the event cannot be handled at time 0.5
//   ┌─ assignment_out_of_range_at_run_time.mo:8:3
//   │
// 8 │   a[i] := time;
//   │   ^^^^ the subscript if $relation1 then 2 else 7 is 7, which is outside 1:3
//
