model Extremum
  Real x(start = 0.5, fixed = true), y;
equation
  der(x) = -1;
  y = max({0.1, log(x), -x});
end Extremum;
//! expect
// error[R205]: the results cannot be computed at time 0.502
//   ┌─ extremum_without_a_number.mo:5:7
//   │
// 5 │   y = max({0.1, log(x), -x});
//   │       ^^^^^^^^^^^^^^^^^^^^^^ an argument of max(0.1, log(x)) is not a number: the logarithm of -0.0019999999999998908
//
