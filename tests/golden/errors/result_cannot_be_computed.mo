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
//   │   ^^^^^^^^^^^^^^^^^^^ Newton's iteration found no way on after 1 step
//   │
//   = b1 solves 1 equation together, iterating on 1 unknown, at time 0.502
//   = y = 0.000000000010429766463509193
//   = y*y + y^4 = 0.5 - x   (residual 2.0000000000000018e-3)
//
