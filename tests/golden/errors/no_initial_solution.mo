model NoStart
  Real x(start = 1);
initial equation
  x^2 + 1 = 0;
equation
  der(x) = -x;
end NoStart;
//! expect
// error[R101]: the initial values cannot be determined at time 0
//   ┌─ no_initial_solution.mo:4:3
//   │
// 4 │   x^2 + 1 = 0;
//   │   ^^^^^^^^^^^ the equation x*x + 1 = 0 has no real solution for x here
//   │
//   = b0 solves 1 equation together, iterating on 1 unknown, at time 0
//   = x = 0.0001118033988749895
//   = x*x + 1 = 0   (residual 1.0000000125e0)
//
