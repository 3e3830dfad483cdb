model Declared
  Real x, motor.w;
equation
  x = 1;
end Declared;
//! expect
// error[P022]: `motor.w` is declared with dots in its name
//   ┌─ dotted_declaration.mo:2:11
//   │
// 2 │   Real x, motor.w;
//   │           ^^^^^^^ a declared name is a single identifier
//   │
//   = hint: flat models may declare dotted names, in a file that holds one `class` and its functions; or quote the name: 'a.b'
//
