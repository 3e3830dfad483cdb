model Semicolon
  Real x;;
equation
  x = 1;
end Semicolon;
//! expect
// error[P031]: one semicolon too many
//   ┌─ semicolon_too_many.mo:2:10
//   │
// 2 │   Real x;;
//   │          ^
//   │
//   = hint: remove it
//
