model EquationForAParameter
  parameter Real p = 3;
  Real x(start=1, fixed=true);
equation
  der(x) = -p*x;
  p = 2;
end EquationForAParameter;
//! expect
// error[S010]: `p` is a parameter, and no equation can determine a parameter
//   ┌─ equation_for_a_parameter.mo:6:3
//   │
// 2 │   parameter Real p = 3;
//   │                  - declared as a parameter here
//   ·
// 6 │   p = 2;
//   │   ^^^^^ this equation has no unknown
//   │
//   = hint: give `p` its value where it is declared, or declare it without `parameter`
//
