model TwoStarts
  Real x(start = 1, fixed = true), y(start = 2, fixed = true);
equation
  der(x) = -x;
  y = x;
end TwoStarts;
//! expect
// error[A001]: x and y are equal but start at different fixed values
//   ┌─ two_fixed_starts.mo:2:8
//   │
// 2 │   Real x(start = 1, fixed = true), y(start = 2, fixed = true);
//   │        ^                           - starts at 2
//   │        │
//   │        starts at 1
//   │
//   = hint: remove `fixed = true` from one of them
//
