model Unexpected
  Real x;
equation
  x = 1 y;
end Unexpected;
//! expect
// error[P001]: `y` cannot follow `1`
//   ┌─ unexpected_word.mo:4:9
//   │
// 4 │   x = 1 y;
//   │        -^
//   │        │
//   │        an operator or a semicolon is missing here
//
