model Twice
  Real x;
  Real x;
equation
  x = 1;
end Twice;
//! expect
// error[F004]: `x` is declared twice
//   ┌─ declared_twice.mo:3:8
//   │
// 2 │   Real x;
//   │        - first declaration
// 3 │   Real x;
//   │        ^ second declaration
//
