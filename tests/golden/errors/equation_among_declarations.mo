model Section
  Real x;
  x = 1;
end Section;
//! expect
// error[P029]: an equation stands among the declarations
//   ┌─ equation_among_declarations.mo:3:5
//   │
// 3 │   x = 1;
//   │     ^
//   │
//   = hint: write `equation` before the first one
//
