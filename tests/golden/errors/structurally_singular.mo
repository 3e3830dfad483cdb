model Singular
  Real x, y, z;
equation
  x + y = time;
  z = 2*time;
  z + 1 = 3*time;
end Singular;
//! expect
// error[S003]: the model is structurally singular
//   ┌─ structurally_singular.mo:2:8
//   │
// 2 │   Real x, y, z;
//   │        ^ no equation is left to determine x
//   │
//   = 3 equations, 3 unknowns
//   = these 2 unknowns share 1 equation: x, y
//       x + y = time
//
//
// error[S003]: the model is structurally singular
//   ┌─ structurally_singular.mo:6:3
//   │
// 6 │   z + 1 = 3*time;
//   │   ^^^^^^^^^^^^^^ this equation has no unknown of its own
//   │
//   = 3 equations, 3 unknowns
//   = these 2 equations have 1 unknown: z
//       z = 2*time
//       z + 1 = 3*time
//
