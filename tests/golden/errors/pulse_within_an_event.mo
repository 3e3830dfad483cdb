// The held value follows one pass after the ramp begins anew: in between `held > ramp` is true, afterwards both are zero.
model PulseWithinAnEvent
  discrete Real held(start = 0.25, fixed = true);
  discrete Real from(start = 0, fixed = true);
  Real ramp = sin(time - from)/2;
  Boolean on = pre(held) > ramp;
equation
  when sample(1, 1) then
    held = if time > 1.5 then 0 else 0.25;
    from = time;
  end when;
  annotation(experiment(StopTime = 3.5));
end PulseWithinAnEvent;
//! expect
// warning[R207]: rounding decides when `pre(held) > ramp` switches at time 2
//   ┌─ pulse_within_an_event.mo:6:16
//   │
// 6 │   Boolean on = pre(held) > ramp;
//   │                ^^^^^^^^^^^^^^^^ at an event its two sides are equal up to round-off; once in this run
//   │
//   = another tool, or this one with another tolerance, may show a pulse without width there, or none
//
