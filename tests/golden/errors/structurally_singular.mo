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
// 3 │ equation
// 4 │   x + y = time;
//   │   ------------ one of the equations for them
//   │
//   = 3 equations, 3 unknowns
//   = these 2 unknowns share 1 equation: x, y
//       x + y = time
//
//
// error[S003]: the model is structurally singular
//   ┌─ structurally_singular.mo:6:3
//   │
// 5 │   z = 2*time;
//   │   ---------- has the same unknown
// 6 │   z + 1 = 3*time;
//   │   ^^^^^^^^^^^^^^ this equation has no unknown of its own
//   │
//   = 3 equations, 3 unknowns
//   = these 2 equations have 1 unknown: z
//       z = 2*time
//       z + 1 = 3*time
//
