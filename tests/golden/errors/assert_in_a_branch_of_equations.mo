// The same among equations.
model AssertInABranchOfEquations
  Real x = time;
equation
  if time > 0.25 then
    assert(x < 0.625, "x is too large");
  end if;
end AssertInABranchOfEquations;
//! expect
// error[R104]: an assertion of the model failed: x is too large at time 0.625
//   ┌─ assert_in_a_branch_of_equations.mo:6:5
//   │
// 6 │     assert(x < 0.625, "x is too large");
//   │     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
