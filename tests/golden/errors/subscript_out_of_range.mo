model Subscript
  Real x[3];
equation
  x = {1, 2, x[4]};
end Subscript;
//! expect
// error[F021]: subscript 4 is outside 1:3
//   ┌─ subscript_out_of_range.mo:4:16
//   │
// 4 │   x = {1, 2, x[4]};
//   │                ^
//
