model Assertion
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  assert(x < 0.5, "x is too large");
end Assertion;
//! expect
// error[R104]: an assertion of the model failed: x is too large at time 0.5
//   ┌─ assertion.mo:5:3
//   │
// 5 │   assert(x < 0.5, "x is too large");
//   │   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//   │
//   = x = 0.5
//
