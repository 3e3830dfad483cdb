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
