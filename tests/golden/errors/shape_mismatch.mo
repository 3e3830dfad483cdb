model ShapeMismatch
  Real x[3], y[2];
equation
  x = {1, 2, 3};
  y = x;
end ShapeMismatch;
//! expect
// error[F012]: the sides of an equation differ in size
//   ┌─ shape_mismatch.mo:5:3
//   │
// 5 │   y = x;
//   │   ^^^^^
//   │
//   = left Real[2], right Real[3]
//
