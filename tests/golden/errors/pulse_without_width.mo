// A mass at rest up to round-off is released: with other round-off `starting` would never be true.
model PulseWithoutWidth
  Real a(start = 0.1, fixed = true), b(start = 0.3, fixed = true);
  Real w = b - 3*a;
  Boolean released = time >= 0.5;
  Boolean starting = released and not w > 0;
equation
  der(a) = 0;
  der(b) = if released then 1 else 0;
  annotation(experiment(StopTime = 1));
end PulseWithoutWidth;
//! expect
// warning[R207]: rounding decides when `w > 0` switches at time 0.5
//   ┌─ pulse_without_width.mo:6:39
//   │
// 6 │   Boolean starting = released and not w > 0;
//   │                                       ^^^^^ at an event its two sides are equal up to round-off; once in this run
//   │
//   = another tool, or this one with another tolerance, may show a pulse without width there, or none
//
