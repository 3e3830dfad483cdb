model NoEquation
  Real x;
equation
  x;
end NoEquation;
//! expect
// error[P015]: an expression alone is not an equation
//   ┌─ no_equation.mo:4:3
//   │
// 4 │   x;
//   │   ^ nothing says what it equals
//   │
//   = hint: an equation is written `left = right`
//
