function f
  input Real x;
  output Real y;
algorithm
  y := x;
end f;
//! expect
// error[F001]: there is no model in this file
//   ┌─ no_model.mo:1:10
//   │
// 1 │ function f
//   │          ^ this is a function
//
