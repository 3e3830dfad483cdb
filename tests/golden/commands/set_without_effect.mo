// Values of all kinds: of a parameter that is part of the equations, of a variable with an equation, of an input; and what is no value.
//! command run MODEL --set n=2 -o a.csv
//! command run MODEL --override y=2,u=3 -o b.csv
//! command run MODEL --set n
//! command run MODEL --set x=1e400
//! command run MODEL --set n=2.5
//! command run MODEL --set stopTime=2
//! command check MODEL --set n=0,m=1
//! command dump MODEL --pass flat --set n=two
model SetWithoutEffect
  parameter Integer n = 3;
  input Real u;
  Real x(start = 1, fixed = true), y = x*n + u;
equation
  der(x) = -x;
end SetWithoutEffect;
//! expect
// exit code 0
// warning: the input `u` keeps its start value; --input FILE.csv lets inputs vary
// exit code 0
// note[F036]: `y` follows from its equation; 2 is only where the search for its value at the start begins
//    ┌─ set_without_effect.mo:13:36
//    │
// 13 │   Real x(start = 1, fixed = true), y = x*n + u;
//    │                                    ^
//
//
// warning: the input `u` keeps its start value; --input FILE.csv lets inputs vary
// exit code 2
// error: invalid value 'n' for '--set <NAME=VALUE>': expected name=value, not `n`
//
// For more information, try '--help'.
// exit code 2
// error[F037]: `x` cannot be 1e400: it is a Real, which takes a finite number
//    ┌─ set_without_effect.mo:13:8
//    │
// 13 │   Real x(start = 1, fixed = true), y = x*n + u;
//    │        ^
//
//
// exit code 2
// error[F037]: `n` cannot be 2.5: it is an Integer, which takes a whole number
//    ┌─ set_without_effect.mo:11:21
//    │
// 11 │   parameter Integer n = 3;
//    │                     ^
//
//
// exit code 2
// error[F037]: the model has no parameter or variable `stopTime`
//  = hint: `run` has `--stop-time` for it
//
//
// exit code 2
// error[F037]: the model has no parameter or variable `m`
//  = hint: similar: n
//
//
// exit code 2
// error[F037]: `n` cannot be two: it is an Integer, which takes a whole number
//    ┌─ set_without_effect.mo:11:21
//    │
// 11 │   parameter Integer n = 3;
//    │                     ^
//
//
// files: a.csv b.csv
