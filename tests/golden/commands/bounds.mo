//! command run MODEL --set p=2 -o x.csv
//! command run MODEL -o x.csv
//! command check --units MODEL
model Bounds
  parameter Real p(min = 0, max = 1) = 0.5;
  Real x(start = 1, fixed = true, min = 0.4, unit = "m");
  Real 'x twice' = 2*x "what is no identifier is quoted in results";
  Real weight(unit = "kg") = x;
protected
  Real hidden = x;
equation
  der(x) = -x;
end Bounds;
//! expect
// exit code 0
// warning[D016]: `p` = 2 is above its max of 1
//   ┌─ bounds.mo:5:18
//   │
// 5 │   parameter Real p(min = 0, max = 1) = 0.5;
//   │                  ^ declared with bounds here
//
//
// warning[R220]: `x` = 0.39931694 is below its min of 0.4, first at time 0.918
//   ┌─ bounds.mo:6:8
//   │
// 6 │   Real x(start = 1, fixed = true, min = 0.4, unit = "m");
//   │        ^ declared with bounds here
//
//
// exit code 0
// warning[R220]: `x` = 0.39931694 is below its min of 0.4, first at time 0.918
//   ┌─ bounds.mo:6:8
//   │
// 6 │   Real x(start = 1, fixed = true, min = 0.4, unit = "m");
//   │        ^ declared with bounds here
//
//
// exit code 1
// error[F039]: the units kg and m do not agree
//   ┌─ bounds.mo:8:8
//   │
// 8 │   Real weight(unit = "kg") = x;
//   │        ^^^^^^^^^^^^^^^^^^^^^^^
//   │        │                     │
//   │        │                     has the unit m
//   │        has the unit kg
//
//
// error[F039]: the units m/s and m do not agree
//    ┌─ bounds.mo:12:3
//    │
// 12 │   der(x) = -x;
//    │   ^^^^^^^^^^^
//    │   │        │
//    │   │        has the unit m
//    │   has the unit m/s
//
//
// 2 errors
// files: x.csv
