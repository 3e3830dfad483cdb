// A function is inlined by symbolic execution; loops over known ranges are unrolled.
function poly
  input Real c[:];
  input Real u;
  output Real y;
algorithm
  y := 0;
  for i in size(c, 1):-1:1 loop
    y := y*u + c[i];
  end for;
end poly;
model Function
  Real x(start = 0, fixed = true);
equation
  der(x) = poly({1, 2, 3}, x);
end Function;
//! expect
// system Function
//   v0: Real time time
//   v1: Real continuous x, start 0, fixed true, derivative v2
//   v2: Real continuous der(x)
// equations
//   e0: der(x) = x*(3*x + 2) + 1
