model Large
  Real x = 1e400;
  Integer n = 9223372036854775808;
end Large;
//! expect
// error[P010]: this number is outside the range of Real
//   ┌─ number_too_large.mo:2:12
//   │
// 2 │   Real x = 1e400;
//   │            ^^^^^ the largest is about 1.8e308
//
//
// error[P010]: this whole number does not fit 64 bits
//   ┌─ number_too_large.mo:3:15
//   │
// 3 │   Integer n = 9223372036854775808;
//   │               ^^^^^^^^^^^^^^^^^^^ the largest is 9223372036854775807
//   │
//   = hint: write it as a Real, with a point or an exponent
//
