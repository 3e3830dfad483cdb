function f
  input Real x;
  output Real y;
end f;
model Incomplete
  Real x = f(time);
end Incomplete;
//! expect
// error[F026]: the function `f` has no algorithm
//   ┌─ function_without_algorithm.mo:1:10
//   │
// 1 │ function f
//   │          ^ it is called, but there is nothing to compute
//
