// An assert among initial equations.
model AssertAtTheStart
  Real s(start = 0.75, fixed = true);
initial equation
  assert(s < 0.5, "s is too large");
equation
  der(s) = -1;
end AssertAtTheStart;
//! expect
// error[R104]: an assertion of the model failed: s is too large at time 0
//   ┌─ assert_at_the_start.mo:5:3
//   │
// 5 │   assert(s < 0.5, "s is too large");
//   │   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//   │
//   = s = 0.75
//
