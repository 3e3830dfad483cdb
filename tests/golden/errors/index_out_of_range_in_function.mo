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
// error[D006]: index 3 is outside 1:2
//   ┌─ index_out_of_range_in_function.mo:6:8
//   │
// 6 │   y := v[n];
//   │        ^ here
//
