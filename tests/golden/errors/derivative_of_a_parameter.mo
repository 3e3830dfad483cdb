model DerivativeOfAParameter
  parameter Real p = 3;
  Real x(start=1, fixed=true);
equation
  der(x) = -p*x + der(p);
end DerivativeOfAParameter;
//! expect
// warning[F038]: `p` is a parameter: its derivative is zero
//   ┌─ derivative_of_a_parameter.mo:5:19
//   │
// 2 │   parameter Real p = 3;
//   │                  - declared as a parameter here
//   ·
// 5 │   der(x) = -p*x + der(p);
//   │                   ^^^^^^ zero
//   │
//   = hint: declare it without `parameter` or `constant` if it is to vary
//
