model UnknownWithoutEquation
  Real x(start = 1, fixed = true);
  Real unused;
equation
  der(x) = -x;
end UnknownWithoutEquation;
//! expect
// error[S001]: the model has more unknowns than equations
//   ┌─ unknown_without_equation.mo:3:8
//   │
// 3 │   Real unused;
//   │        ^^^^^^ no equation has unused
//   │
//   = 1 equation, 2 unknowns
//   = hint: write an equation for `unused`, or declare it as a parameter or an input
//
