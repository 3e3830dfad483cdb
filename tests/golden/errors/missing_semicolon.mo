model Missing
  Real x
  Real y;
equation
  x = 1;
  y = 2;
end Missing;
//! expect
// error[P003]: a semicolon is missing
//   ┌─ missing_semicolon.mo:2:9
//   │
// 2 │   Real x
//   │         ^ `;` belongs here
//
