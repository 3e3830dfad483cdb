model Bounds
  parameter Real p(min = 0, max = 1) = 2;
  Real x(start = -1, fixed = true, min = 0);
  Real y(max = 0.5);
  Real z(min = 0) = if time < 0.5 then -1e-9 else 1;
  Integer n(max = 2) = integer(3*time);
equation
  der(x) = p;
  y = x;
  annotation(experiment(StopTime = 1, Interval = 0.1));
end Bounds;
//! expect
// warning[D016]: `p` = 2 is above its max of 1
//   ┌─ values_outside_of_their_bounds.mo:2:18
//   │
// 2 │   parameter Real p(min = 0, max = 1) = 2;
//   │                  ^ declared with bounds here
//
//
// warning[D016]: the start value -1 of `x` is below its min of 0
//   ┌─ values_outside_of_their_bounds.mo:3:8
//   │
// 3 │   Real x(start = -1, fixed = true, min = 0);
//   │        ^ declared with bounds here
//
// warning[R220]: `x` = -1 is below its min of 0, first at time 0
//   ┌─ values_outside_of_their_bounds.mo:3:8
//   │
// 3 │   Real x(start = -1, fixed = true, min = 0);
//   │        ^ declared with bounds here
//
//
// warning[R220]: `y` = 0.6 is above its max of 0.5, first at time 0.8
//   ┌─ values_outside_of_their_bounds.mo:4:8
//   │
// 4 │   Real y(max = 0.5);
//   │        ^ declared with bounds here
//
//
// warning[R220]: `n` = 3 is above its max of 2, first at time 1
//   ┌─ values_outside_of_their_bounds.mo:6:11
//   │
// 6 │   Integer n(max = 2) = integer(3*time);
//   │           ^ declared with bounds here
//
