model Ball
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 then
    reinit(v, -0.7*pre(v));
  end when;
  annotation(experiment(StopTime = 4));
end Ball;
//! expect
// error[R216]: infinitely many events of `h <= 0` accumulate at time 2.55863374
//   ┌─ events_accumulate.mo:6:8
//   │
// 6 │   when h <= 0 then
//   │        ^^^^^^ from then on rounding decides whether it switches
//   │
//   = 46 events came ever faster, the last two 9.663e-8 apart
//   = hint: a discrete variable that ends the sequence, as a ball that lies no longer flies, says how the model goes on
//
