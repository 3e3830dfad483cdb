model Friction
  Real v(start = 1, fixed = true);
equation
  der(v) = 0.5 - 2*sign(v);
  annotation(experiment(StopTime = 2));
end Friction;
//! expect
// error[R215]: the model slides along `sign(v)`: on both sides of the relation it moves back to it at time 0.666692995
//   ┌─ sliding_along_sign.mo:4:3
//   │
// 4 │   der(v) = 0.5 - 2*sign(v);
//   │   ^^^^^^^^^^^^^^^^^^^^^^^^ switches back as soon as it has switched
//   │
//   = `sign(v)`: the difference of its sides changes by -1.500000 per unit of time where it is positive, by 2.500000 where it is negative
//   = hint: `--sliding equivalent` follows the motion along the relation; or give the condition a hysteresis
//
