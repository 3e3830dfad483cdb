model Division
  Real x(start = 1, fixed = true);
equation
  der(x) = 1/time;
end Division;
//! expect
// error[R205]: the results cannot be computed at time 0
//   ┌─ division_by_zero_at_the_start.mo:4:3
//   │
// 4 │   der(x) = 1/time;
//   │   ^^^^^^^^^^^^^^^ der(x) is infinite: division by zero, 1/0
//
