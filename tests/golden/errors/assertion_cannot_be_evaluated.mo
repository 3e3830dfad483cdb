model Checked
  Real x(start = 0, fixed = true);
  Real y(start = 1) "not needed by the derivative";
equation
  der(x) = 1;
  y^2 + y^4 = 0.5 - x;
  assert(y > -1, "y is too small");
  annotation(experiment(StopTime = 1, Interval = 1));
end Checked;
//! expect
// error[R107]: the model cannot be evaluated at time 0.58467
//   ┌─ assertion_cannot_be_evaluated.mo:6:3
//   │
// 6 │   y^2 + y^4 = 0.5 - x;
//   │   ^^^^^^^^^^^^^^^^^^^ the equation y*y + y^4 = 0.5 - x has no real solution for y here
//   │
//   = b1 solves 1 equation together, iterating on 1 unknown, at time 0.5846699999999999
//   = y = -0.00004672107648525689
//   = y*y + y^4 = 0.5 - x   (residual 8.46700021828589e-2)
//
