model MissingEquation
  Real x(start=1, fixed=true);
  Real y;
  Real z;
equation
  der(x) = -x + y;
  z = 2*x;
end MissingEquation;
//! expect
// error[S001]: the model has more unknowns than equations
//   ┌─ missing_equation.mo:3:8
//   │
// 3 │   Real y;
//   │        ^ no equation is left to determine y
//   ·
// 6 │   der(x) = -x + y;
//   │   --------------- determines x
// 7 │   z = 2*x;
//   │   ------- determines z
//   │
//   = 2 equations, 3 unknowns
//   = these 3 unknowns share 2 equations: x, y, z
//       der(x) = y - x
//       z = 2*x
//   = hint: write an equation for `y`, or declare it as a parameter or an input
//
