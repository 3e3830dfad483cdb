model Range
  Real x[4];
equation
  x = 1:2:3:4;
end Range;
//! expect
// error[P019]: a range has at most three parts
//   ┌─ range_of_four_parts.mo:4:7
//   │
// 4 │   x = 1:2:3:4;
//   │       ^^^^^^^
//   │
//   = hint: a range is written `first:last` or `first:step:last`
//
