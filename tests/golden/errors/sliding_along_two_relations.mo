model Corner
  Real x(start = 0.1, fixed = true), y(start = 0.1, fixed = true);
equation
  der(x) = if x > 0 then -1 else 1;
  der(y) = if y > 0 then -1 else 1;
  annotation(experiment(StopTime = 1));
end Corner;
//! expect
// error[R215]: the model slides along several relations at once: `x > 0` and `y > 0` at time 0.1
//   ┌─ sliding_along_two_relations.mo:4:15
//   │
// 4 │   der(x) = if x > 0 then -1 else 1;
//   │               ^^^^^ switches back as soon as it has switched
// 5 │   der(y) = if y > 0 then -1 else 1;
//   │               ----- so does this
//   │
//   = `x > 0`: the difference of its sides changes by -1.000000 per unit of time where it is true, by 1.000000 where it is false
//   = `y > 0`: the difference of its sides changes by -1.000000 per unit of time where it is true, by 1.000000 where it is false
//   = hint: the motion along several relations is not determined by the model; give the conditions a hysteresis
//
