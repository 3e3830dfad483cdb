model Relation
  parameter Real p = -2;
  Real x;
initial equation
  x = if sqrt(p) > 0 then 1 else 2;
equation
  der(x) = 1;
end Relation;
//! expect
// error[R101]: the initial values cannot be determined at time 0
//   ┌─ relation_of_the_start.mo:5:10
//   │
// 5 │   x = if sqrt(p) > 0 then 1 else 2;
//   │          ^^^^^^^^^^^ the relation sqrt(p) > 0 compares a value that is not a number: the square root of -2
//
