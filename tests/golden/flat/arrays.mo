// Array expressions keep their shape: slices, comprehensions, reductions and element-wise operators are typed, not unrolled.
model Arrays
  parameter Integer n = 3;
  parameter Real A[n, n] = identity(n) + fill(0.1, n, n);
  Real x[n](each start = 1, each fixed = true), s, y[2];
equation
  der(x) = -A*x;
  s = sum(x[i]^2 for i in 1:n) + max(x);
  y = x[2:end] .* {1, 2};
end Arrays;
//! expect
// model Arrays
//   parameter Integer n = 3
//   parameter Real[3, 3] A = /*Real*/(identity(n)) + fill(0.1, n, n) /* {{1.1, 0.1, 0.1}, {0.1, 1.1, 0.1}, {0.1, 0.1, 1.1}} */
//   Real[3] x(start = 1.0, fixed = true)
//   Real s
//   Real[2] y
// equation
//   der(x) = -A * x
//   s = sum({x[i] ^ 2.0 for i in 1:n}) + max(x)
//   y = x[2:3] .* {1.0, 2.0}
// end Arrays
