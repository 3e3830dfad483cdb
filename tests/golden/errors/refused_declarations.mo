model Refused
  Rael y;
  parameter Real p = q + 1;
  Real x, z;
equation
  y = 2*x;
  x = p;
  z = y + x + w;
end Refused;
//! expect
// error[F005]: unknown type `Rael`
//   ┌─ refused_declarations.mo:2:3
//   │
// 2 │   Rael y;
//   │   ^^^^
//   │
//   = declared: `y`
//   = hint: did you mean `Real`?
//
//
// error[F003]: unknown variable `q`
//   ┌─ refused_declarations.mo:3:22
//   │
// 3 │   parameter Real p = q + 1;
//   │                      ^ not declared
//   │
//   = hint: did you mean `p`?
//
//
// error[F003]: unknown variable `w`
//   ┌─ refused_declarations.mo:8:15
//   │
// 8 │   z = y + x + w;
//   │               ^ not declared
//   │
//   = hint: did you mean `p`?
//
