// The first value that is not finite is named with its line, not the derivative that follows from it.
model Division
  Real x(start = 2, fixed = true), gap, force;
equation
  gap = x - 2;
  force = 3/gap;
  der(x) = force - x;
end Division;
//! expect
// error[R205]: the results cannot be computed at time 0
//   ┌─ division_by_zero_in_an_equation.mo:6:3
//   │
// 6 │   force = 3/gap;
//   │   ^^^^^^^^^^^^^ force is infinite: division by zero, 3/0
//   │
//   = der(x) is infinite
//
