model Result
  Real x(start = 0.5, fixed = true);
  Real y "nothing but a result";
equation
  der(x) = -1;
  y = 2*sqrt(x);
end Result;
//! expect
// error[R205]: the results cannot be computed at time 0.502
//   ┌─ result_without_a_number.mo:6:3
//   │
// 6 │   y = 2*sqrt(x);
//   │   ^^^^^^^^^^^^^ y is not a number: the square root of -0.0019999999999998908
//
