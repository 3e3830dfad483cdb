function forever
  input Real x;
  output Real y;
algorithm
  y := x;
  while y > -1 loop
    y := y + 1e-20;
  end while;
end forever;
model InfiniteLoop
  Real x(start = 0, fixed = true);
equation
  der(x) = forever(x);
end InfiniteLoop;
//! expect
// error[R101]: the initial values cannot be determined at time 0
//   ┌─ infinite_loop_in_a_function.mo:1:10
//   │
// 1 │ function forever
//   │          ^^^^^^^ loops ran more than 10000000 iterations (in function forever)
//
