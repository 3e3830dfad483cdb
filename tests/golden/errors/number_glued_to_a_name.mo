model Glued
  Real x = 2y;
end Glued;
//! expect
// error[P024]: `2y` is neither a number nor a name
//   ┌─ number_glued_to_a_name.mo:2:12
//   │
// 2 │   Real x = 2y;
//   │            ^^ a name begins with a letter
//   │
//   = hint: if it is a product, write `*` in between
//
