model TooManyInitial
  Real x(start = 1, fixed = true);
initial equation
  x = 2;
equation
  der(x) = -x;
end TooManyInitial;
//! expect
// error[R101]: the initial values cannot be determined at time 0
//   ┌─ contradicting_initial_conditions.mo:2:8
//   │
// 2 │   Real x(start = 1, fixed = true);
//   │        ^ there are more initial equations than needed, and they contradict each other: x = start(x)
// 3 │ initial equation
// 4 │   x = 2;
//   │   ----- determines the same unknowns: x = 2
//   │
//   = the other equations give 2 = 1
//
