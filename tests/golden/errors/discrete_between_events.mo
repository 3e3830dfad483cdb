// A function makes no events, so n would change between them.
function above
  input Real x;
  output Integer n;
algorithm
  n := if x > 0.5 then 2 else 1;
end above;

model DiscreteBetweenEvents
  Integer n = above(time);
end DiscreteBetweenEvents;
//! expect
// warning[D011]: n is discrete, but what it equals changes between events
//    ┌─ discrete_between_events.mo:10:11
//    │
// 10 │   Integer n = above(time);
//    │           ^^^^^^^^^^^^^^^ computed at all times, without events of its own
//    │
//    = hint: `annotation(GenerateEvents = true)` makes events of the relations in a function
//
