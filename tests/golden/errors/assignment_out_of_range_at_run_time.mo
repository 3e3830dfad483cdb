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
// warning: at time 0.5: the result a[1] is not a number
// warning: at time 0.5: the result a[2] is not a number
// warning: at time 0.5: the result a[3] is not a number
// warning: at time 0.5: the result y is not a number
