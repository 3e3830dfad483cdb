model Relation "A relation that makes no events compares what is not a number from 0.5 on"
  Real x(start = 0.5, fixed = true), y;
equation
  der(x) = -1;
  y = if noEvent(sqrt(x) > 0.1) then 1 else 2;
end Relation;
//! expect
// error[R205]: the results cannot be computed at time 0.502
//   ┌─ relation_without_a_number.mo:5:18
//   │
// 5 │   y = if noEvent(sqrt(x) > 0.1) then 1 else 2;
//   │                  ^^^^^^^^^^^^^ the relation sqrt(x) > 0.1 compares a value that is not a number: the square root of -0.0019999999999998908
//
