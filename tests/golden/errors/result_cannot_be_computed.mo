model Result
  Real x(start = 0, fixed = true);
  Real y(start = 1) "not needed by the derivative";
equation
  der(x) = 1;
  y^2 + y^4 = 0.5 - x;
end Result;
//! expect
// error[R205]: the results cannot be computed at time 0.502
//   ┌─ result_cannot_be_computed.mo:6:3
//   │
// 6 │   y^2 + y^4 = 0.5 - x;
//   │   ^^^^^^^^^^^^^^^^^^^ the equation y*y + y^4 = 0.5 - x has no real solution for y here
//   │
//   = b1 solves 1 equation together, iterating on 1 unknown, at time 0.502
//   = y = -0.000003093530059294636
//   = y*y + y^4 = 0.5 - x   (residual 2.00000000956993e-3)
//
