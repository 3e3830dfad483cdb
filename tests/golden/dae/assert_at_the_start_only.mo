// A function that is called for an initial value fails at the start only; s outgrows its bound later.
function f
  input Real x;
  output Real y;
algorithm
  y := x;
  assert(x < 0.5, "x is too large");
end f;

model AssertAtTheStartOnly
  Real x;
  Real s(start = 0.25, fixed = true);
initial equation
  x = f(s);
equation
  der(x) = 1;
  der(s) = 1;
end AssertAtTheStartOnly;
//! expect
// system AssertAtTheStartOnly
//   v0: Real time time
//   v1: Real continuous x, derivative v3
//   v2: Real continuous s, start 0.25, fixed true, derivative v4
//   v3: Real continuous der(x)
//   v4: Real continuous der(s)
//   v5: Boolean external $initial1
//   v6: Boolean discrete $action2
// equations
//   e0: der(x) = 1
//   e1: der(s) = 1
//   e2: discrete $action2 = not s < 0.5 and $initial1
// initial equations
//   x = s
