model Sliding
  Real x(start = 0.1, fixed = true);
equation
  der(x) = if x > 0 then -1 else 0.5;
  annotation(experiment(StopTime = 1));
end Sliding;
//! expect
// error[R215]: the model slides along `x > 0`: on both sides of the relation it moves back to it at time 0.1
//   ┌─ sliding_along_a_relation.mo:4:15
//   │
// 4 │   der(x) = if x > 0 then -1 else 0.5;
//   │               ^^^^^ switches back as soon as it has switched
//   │
//   = `x > 0`: the difference of its sides changes by -1.000000 per unit of time where it is true, by 0.500000 where it is false
//   = hint: `--sliding equivalent` follows the motion along the relation; or give the condition a hysteresis
//
