function copy
  input Real v[:];
  output Real y[2];
algorithm
  y := v;
end copy;
model Sizes
  Real x[2] = copy({1, 2, time});
end Sizes;
//! expect
// error[D002]: the two sides of the equation have different dimensions
//   ┌─ sizes_in_a_function.mo:8:8
//   │
// 8 │   Real x[2] = copy({1, 2, time});
//   │        ^^^^^^^^^^^^^^^^^^^^^^^^^ in this equation
//
