model ParameterInASurplusEquation
  parameter Real p = 3;
  Real x(start = 1, fixed = true);
equation
  der(x) = -p*x;
  p = 2*x;
end ParameterInASurplusEquation;
//! expect
// error[S002]: the model has more equations than unknowns
//   ┌─ parameter_in_a_surplus_equation.mo:6:3
//   │
// 5 │   der(x) = -p*x;
//   │   ------------- determines x
// 6 │   p = 2*x;
//   │   ^^^^^^^ one equation too many: others determine all of its unknowns
//   │
//   = 2 equations, 1 unknown
//   = these 2 equations have 1 unknown: x
//       der(x) = -p*x
//       p = 2*x
//   = hint: `p` is a parameter: no equation determines it
//
