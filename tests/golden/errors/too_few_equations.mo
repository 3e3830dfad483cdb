model TooFew
  Real x, y, z;
equation
  x + y = time;
  z = 2*time;
end TooFew;
//! expect
// error[S001]: the model has more unknowns than equations
//   ┌─ too_few_equations.mo:2:11
//   │
// 2 │   Real x, y, z;
//   │           ^ no equation is left to determine y
// 3 │ equation
// 4 │   x + y = time;
//   │   ------------ determines x
//   │
//   = 2 equations, 3 unknowns
//   = these 2 unknowns share 1 equation: x, y
//       x + y = time
//   = hint: write an equation for `y`, or declare it as a parameter or an input
//
