model Text
  Real x "position;
equation
  x = 1;
end Text;
//! expect
// error[P007]: this string never ends
//   ┌─ string_without_end.mo:2:10
//   │
// 2 │   Real x "position;
//   │          ^ begins here
//   │
//   = hint: a string ends with `"`; a quote inside it is written `\"`
//
