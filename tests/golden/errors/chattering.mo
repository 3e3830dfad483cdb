model Chattering
  Real x(start = 0.1, fixed = true);
equation
  der(x) = if x > 0 then -1 else 1;
  annotation(experiment(StopTime = 1));
end Chattering;
//! expect
// error[R204]: the model chatters: 100 events without progress at time 0.1
//   ┌─ chattering.mo:4:15
//   │
// 4 │   der(x) = if x > 0 then -1 else 1;
//   │               ^^^^^ switches back and forth
//   │
//   = x > 0
//   = hint: a condition that switches back as soon as it has switched needs a hysteresis, or a state that remembers the mode
//
