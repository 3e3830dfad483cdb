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
// warning[R207]: rounding decides when `w > 0` switches at time 0.5
//   ┌─ pulse_without_width.mo:5:39
//   │
// 5 │   Boolean starting = released and not w > 0;
//   │                                       ^^^^^ at an event its two sides are equal up to round-off; once in this run
//   │
//   = another tool, or this one with another tolerance, may show a pulse without width there, or none
//
