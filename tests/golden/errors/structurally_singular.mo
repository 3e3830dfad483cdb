model Singular
  Real x, y, z;
equation
  x + y = time;
  z = 2*time;
  z + 1 = 3*time;
end Singular;
//! expect
// error[S003]: the model is structurally singular
//   ┌─ structurally_singular.mo:2:11
//   │
// 2 │   Real x, y, z;
//   │           ^ no equation is left to determine y
// 3 │ equation
// 4 │   x + y = time;
//   │   ------------ determines x
//   │
//   = 3 equations, 3 unknowns
//   = these 2 unknowns share 1 equation: x, y
//       x + y = time
//   = hint: write an equation for `y`, or declare it as a parameter or an input
//
//
// error[S003]: the model is structurally singular
//   ┌─ structurally_singular.mo:6:3
//   │
// 5 │   z = 2*time;
//   │   ---------- determines z
// 6 │   z + 1 = 3*time;
//   │   ^^^^^^^^^^^^^^ one equation too many: others determine all of its unknowns
//   │
//   = 3 equations, 3 unknowns
//   = these 2 equations have 1 unknown: z
//       z = 2*time
//       z + 1 = 3*time
//
