model Assign
  Real x;
algorithm
  (x, 1) := f(time);
end Assign;
//! expect
// error[P016]: only variables can be assigned to
//   ┌─ assignment_to_a_number.mo:4:7
//   │
// 4 │   (x, 1) := f(time);
//   │       ^ this is not a variable
//
