// Inside a `when` the value before the event is meant; outside of one it would stay what it was before the last event.
model PreBetweenEvents
  Real x = time;
  Real y = pre(x);
  discrete Real held(start = 0, fixed = true);
equation
  when time > 0.5 then
    held = pre(x);
  end when;
end PreBetweenEvents;
//! expect
// warning[D011]: x changes between events, and `pre(x)` does not
//   ┌─ pre_between_events.mo:4:12
//   │
// 4 │   Real y = pre(x);
//   │            ^^^^^^ its value before the last event
//   │
//   = hint: `pre` of a continuous variable belongs into a `when`
//
