function f
  input Real u;
  output Real y;
external "C" y = ModelicaRandom_impureRandom_xorshift1024star(u);
end f;
function g = der(f, u);
model Slope
  Real y = g(time);
end Slope;
//! expect
// error[F033]: the derivative of an external function without a declared derivative cannot be formed
//   ┌─ derivative_of_a_function.mo:1:10
//   │
// 1 │ function f
//   │          ^ needed for a function that is defined as a derivative
//   ·
// 6 │ function g = der(f, u);
//   │          - defined as a derivative
//
