model Dependent
  Real x, y, a, b;
equation
  der(x) = a;
  der(y) = b;
  x + y = time;
  2*x + 2*y = 2*time;
end Dependent;
//! expect
// error[S007]: the constraints of the model depend on each other
//   ┌─ dependent_constraints.mo:7:3
//   │
// 6 │   x + y = time;
//   │   ------------ one of the others
// 7 │   2*x + 2*y = 2*time;
//   │   ^^^^^^^^^^^^^^^^^^ this constraint follows from the others, or contradicts them
//   │
//   = differentiated constraints on der(x), der(y):
//       der(x) + der(y) = 1
//       2*der(y) + 2*der(x) = 2
//
