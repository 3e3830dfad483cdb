model Stray
  Boolean b = 1 != 2;
end Stray;
//! expect
// error[P009]: the character `!` has no meaning here
//   ┌─ stray_character.mo:2:17
//   │
// 2 │   Boolean b = 1 != 2;
//   │                 ^
//   │
//   = hint: unequal is written `<>`
//
