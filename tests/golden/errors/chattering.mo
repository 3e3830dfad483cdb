model Chattering
  Real x(start = 0.1, fixed = true);
equation
  der(x) = 1;
  when x > 0.2 then
    reinit(x, 0.2 - 1e-13);
  end when;
  annotation(experiment(StopTime = 1));
end Chattering;
//! expect
// error[R204]: the model chatters: 1260 events without progress at time 0.1
//   ┌─ chattering.mo:5:8
//   │
// 5 │   when x > 0.2 then
//   │        ^^^^^^^ switches back and forth
//   │
//   = x > 0.2
//   = hint: a condition that switches back as soon as it has switched needs a hysteresis, or a state that remembers the mode
//
