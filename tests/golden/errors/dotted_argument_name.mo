model Dotted
  Real x;
equation
  x = atan2(a.b = 1, y = 2);
end Dotted;
//! expect
// error[P021]: an argument's name is a single identifier
//   ┌─ dotted_argument_name.mo:4:13
//   │
// 4 │   x = atan2(a.b = 1, y = 2);
//   │             ^^^ this is not one
//   │
//   = hint: to compare two values write `==`
//
