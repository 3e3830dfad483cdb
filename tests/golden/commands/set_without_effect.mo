// Values that cannot be set: they are structural, computed or inputs.
//! command run MODEL --set n=2
//! command run MODEL --set y=2
//! command run MODEL --set u=2
//! command run MODEL --set n
//! command run MODEL --set x=1e400
model SetWithoutEffect
  parameter Integer n = 3;
  input Real u;
  Real x(start = 1, fixed = true), y = x*n + u;
equation
  der(x) = -x;
end SetWithoutEffect;
//! expect
// exit code 2
// error: `n` cannot be changed: Integer, Boolean and enumeration parameters are structural: their value is part of the equations
// exit code 2
// error: `y` cannot be changed: it is computed at the start and during the run
// exit code 2
// error: `u` cannot be changed: it is an input; its values come from a file
// exit code 2
// error: invalid value 'n' for '--set <SET>': expected name=value
//
// For more information, try '--help'.
// exit code 2
// error: `x` needs a finite number, not inf
// files:
