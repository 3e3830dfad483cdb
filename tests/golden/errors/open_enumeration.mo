model Open
  enumeration(:) x;
end Open;
//! expect
// error[P014]: `enumeration(:)` is not the type of a component
//   ┌─ open_enumeration.mo:2:3
//   │
// 2 │   enumeration(:) x;
//   │   ^^^^^^^^^^^^^^ its literals are unknown
//   │
//   = hint: name the literals, or declare a type
//
