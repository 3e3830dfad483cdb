model Loop
  Real x[3], y[3];
equation
  for i in 1:3 loop
    x[i] = time;
    y[i] = x[i + 1] - x[i];
  end for;
end Loop;
//! expect
// error[D006]: index 4 is outside 1:3
//   ┌─ index_out_of_range_in_a_loop.mo:6:12
//   │
// 6 │     y[i] = x[i + 1] - x[i];
//   │            ^^^^^^^^ here
//
