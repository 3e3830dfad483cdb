model AssignmentToAParameter
  parameter Real p = 3;
  Real x(start=1, fixed=true);
algorithm
  p := 4;
equation
  der(x) = -p*x;
end AssignmentToAParameter;
//! expect
// error[F022]: assignment to the parameter `p`
//   ┌─ assignment_to_a_parameter.mo:5:3
//   │
// 5 │   p := 4;
//   │   ^ cannot be assigned
//   │
//   = hint: a parameter has its value from its declaration on; declare a variable without `parameter`
//
