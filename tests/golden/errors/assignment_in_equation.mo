model Confused
  Real x;
equation
  x := 1;
end Confused;
//! expect
// error[P025]: `:=` stands in an equation section
//   ┌─ assignment_in_equation.mo:4:5
//   │
// 4 │   x := 1;
//   │     ^^
//   │
//   = hint: an equation is written with `=`; assignments belong into an `algorithm` section
//
