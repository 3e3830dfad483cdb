// A mass at rest up to round-off is released: with other round-off `starting` would never be true.
model PulseWithoutWidth
  Real w(start = -1e-18, fixed = true);
  Boolean released = time >= 0.5;
  Boolean starting = released and not w > 0;
equation
  der(w) = if released then 1 else 0;
  annotation(experiment(StopTime = 1));
end PulseWithoutWidth;
//! expect
// error[R201]: the step size became too small: 1.117e-16 at time 0.5
//  = the error of the step is largest for `w` = 0.00000000000000021977427996868364
//  = last accepted point at time 0.5000000000000002, method bdf of order 1
//
