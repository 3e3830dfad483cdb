model Part
  Real x(start = 0.5, fixed = true);
  Integer n = integer(3*sqrt(x));
equation
  der(x) = -1;
end Part;
//! expect
// error[R203]: the model cannot be evaluated beyond this point at time 0.5
//   ┌─ integer_part_without_a_number.mo:3:15
//   │
// 3 │   Integer n = integer(3*sqrt(x));
//   │               ^^^^^^^^^^^^^^^^^^ the relation 3*sqrt(x) < $round1 compares a value that is not a number
//
