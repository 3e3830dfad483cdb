// A value that the user gives for a parameter that follows from another, for one that the start determines, and for a variable with an equation.
//! set c=7
//! set p=2, y=3
model GivenValueReplacesABinding
  parameter Real a = 2;
  parameter Real c = 3*a;
  parameter Real p(fixed = false, start = 1);
  Real y = c*time;
  Real x(start = 1, fixed = true);
initial equation
  p = 2*c;
equation
  der(x) = -p*x;
end GivenValueReplacesABinding;
//! expect
// note[F036]: the binding of `c` is replaced by 7
//   ┌─ given_value_replaces_a_binding.mo:6:18
//   │
// 6 │   parameter Real c = 3*a;
//   │                  ^ no longer follows from other parameters
//
//
// note[F036]: `p` is computed at the start; 2 is where the search for it begins
//   ┌─ given_value_replaces_a_binding.mo:7:18
//   │
// 7 │   parameter Real p(fixed = false, start = 1);
//   │                  ^
//
//
// note[F036]: `y` follows from its equation; 3 is only where the search for its value at the start begins
//   ┌─ given_value_replaces_a_binding.mo:8:8
//   │
// 8 │   Real y = c*time;
//   │        ^
//
