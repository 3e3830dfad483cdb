// The start value of a state can be set; an assertion shows that it was.
//! command run MODEL --set x=3 -o a.csv
//! command run MODEL -o b.csv
model SetStart
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
  assert(x < 2, "x is large");
end SetStart;
//! expect
// exit code 1
// error[R104]: an assertion of the model failed: x is large at time 0
//   ┌─ set_start.mo:8:3
//   │
// 8 │   assert(x < 2, "x is large");
//   │   ^^^^^^^^^^^^^^^^^^^^^^^^^^^
//   │
//   = x = 3
//
//
// exit code 0
// files: b.csv
