model Shown
  Real x = time;
equation
  assert(x < 2, "x is " + String(x, format = "5d"));
end Shown;
//! expect
// error[D013]: `5d` is no format for this value
//   ┌─ format_of_a_string.mo:4:27
//   │
// 4 │   assert(x < 2, "x is " + String(x, format = "5d"));
//   │                           ^^^^^^^^^^^^^^^^^^^^^^^^ in this call
//   │
//   = hint: formats are those of C: `.3f`, `10.4e`, `g` for a Real, `5d` for an Integer
//
