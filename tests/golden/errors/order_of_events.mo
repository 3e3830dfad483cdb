// Both relations switch at the same time: were the first one a little earlier, `on` would be true for a moment.
model OrderOfEvents
  Real x(start = 0, fixed = true);
  Boolean on(start = false, fixed = true);
equation
  der(x) = 1;
  on = (x > 1 or pre(on)) and not 3*x > 3;
  annotation(experiment(StopTime = 2));
end OrderOfEvents;
//! expect
// warning[R207]: rounding decides when `x > 1` switches at time 1
//   ┌─ order_of_events.mo:7:9
//   │
// 7 │   on = (x > 1 or pre(on)) and not 3*x > 3;
//   │         ^^^^^ at an event its two sides are equal up to round-off; once in this run
//   │
//   = another tool, or this one with another tolerance, may show a pulse without width there, or none
//
