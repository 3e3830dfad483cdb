model NoSolution
  Real x(start = 0, fixed = true), y(start = 1);
  Real a;
equation
  der(x) = 1;
  a = if x > 0.5 then -1 else 1;
  y^2 = a;
end NoSolution;
//! expect
// error[R102]: the event cannot be handled at time 0.5
//   ┌─ event_without_solution.mo:7:3
//   │
// 7 │   y^2 = a;
//   │   ^^^^^^^ the equation y*y = a has no real solution for y here
//   │
//   = b2 solves 1 equation together, iterating on 1 unknown, at time 0.5000000000000007
//   = y = 0.0001118033988749895
//   = y*y = a   (residual 1.0000000125e0)
//
