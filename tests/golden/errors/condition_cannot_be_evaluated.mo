model Condition
  Real x(start = 0, fixed = true), y;
equation
  der(x) = 1;
  y = if log(0.5 - x) > -1 then 1 else 2;
end Condition;
//! expect
// error[R203]: the model cannot be evaluated beyond this point at time 0.5
//   ┌─ condition_cannot_be_evaluated.mo:5:10
//   │
// 5 │   y = if log(0.5 - x) > -1 then 1 else 2;
//   │          ^^^^^^^^^^^^^^^^^ the relation log(0.5 - x) > -1 compares a value that is not a number
//
