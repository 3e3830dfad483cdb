model TooFewInitial
  parameter Real p(fixed = false);
  Real x(start = 1, fixed = true);
equation
  der(x) = -p*x;
end TooFewInitial;
//! expect
// warning[I004]: no initial equation determines a parameter with `fixed = false`; its start value is taken
//   ┌─ undetermined_parameter.mo:2:18
//   │
// 2 │   parameter Real p(fixed = false);
//   │                  ^ declared here
//   │
//   = taken: p = 0
//
