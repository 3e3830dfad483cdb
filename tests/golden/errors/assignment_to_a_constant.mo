model AssignConstant
  constant Real c = 1;
  Real x;
algorithm
  c := 2;
  x := c;
end AssignConstant;
//! expect
// error[F022]: assignment to the constant `c`
//   ┌─ assignment_to_a_constant.mo:5:3
//   │
// 5 │   c := 2;
//   │   ^ cannot be assigned
//
