// An assert in a branch of a function holds wherever the branch is taken, not only at events.
function f
  input Real x;
  output Real y;
algorithm
  y := x;
  if x > 0.25 then
    assert(x < 0.625, "x is too large");
  end if;
end f;

model AssertUnderACondition
  Real x = f(time);
end AssertUnderACondition;
//! expect
// error[R104]: an assertion of the model failed: x is too large at time 0.625
//   ┌─ assert_under_a_condition.mo:8:5
//   │
// 8 │     assert(x < 0.625, "x is too large");
//   │     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
