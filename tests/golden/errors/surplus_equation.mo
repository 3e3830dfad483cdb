model SurplusEquation
  Real x(start=1, fixed=true);
  Real y;
equation
  der(x) = -x + y;
  y = 2*x;
  y = sin(x);
end SurplusEquation;
//! expect
// error[S002]: the model has more equations than unknowns
//   ┌─ surplus_equation.mo:7:3
//   │
// 5 │   der(x) = -x + y;
//   │   --------------- determines x
// 6 │   y = 2*x;
//   │   ------- determines y
// 7 │   y = sin(x);
//   │   ^^^^^^^^^^ one equation too many: others determine all of its unknowns
//   │
//   = 3 equations, 2 unknowns
//   = these 3 equations have 2 unknowns: x, y
//       der(x) = y - x
//       y = 2*x
//       y = sin(x)
//
