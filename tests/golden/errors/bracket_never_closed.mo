model Bracket
  Real x;
equation
  x = sin(2*(time + 1);
end Bracket;
//! expect
// error[P002]: `(` is never closed
//   ┌─ bracket_never_closed.mo:4:10
//   │
// 4 │   x = sin(2*(time + 1);
//   │          ^            - `)` is missing before this
//   │          │
//   │          opened here
//
