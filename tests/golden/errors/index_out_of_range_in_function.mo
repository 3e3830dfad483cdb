function last
  input Real v[:];
  input Integer n;
  output Real y;
algorithm
  y := v[n];
end last;
model Index
  Real x = last({time, 2*time}, 3);
end Index;
//! expect
// error[R101]: the initial values cannot be determined at time 0
//   ┌─ index_out_of_range_in_function.mo:1:10
//   │
// 1 │ function last
//   │          ^^^^ subscript 1 of v is 3, which is not in 1..2 (in function last)
//
