model Roots
  Real x(start = 1.5);
  Real y(start = 0, fixed = true);
equation
  sin(x) = 0.5;
  der(y) = x;
  annotation(experiment(StopTime = 1));
end Roots;
//! expect
// warning[R109]: equations of the start have several solutions; the one that the start values lead to is taken at time 0
//   ┌─ several_solutions.mo:5:3
//   │
// 5 │   sin(x) = 0.5;
//   │   ^^^^^^^^^^^^ one of the equations
//   │
//   = x = 0.5235987755982989; Newton's method without that ends at -5.759586531581288
//   = hint: start values nearer to the solution that is meant leave no choice
//
