// One linear and one nonlinear loop, each torn to one unknown.
model Loop
  Real a, b, c, d, x(start = 1, fixed = true);
equation
  a + 2*b = x;
  a - b = 3*time;
  c = exp(d);
  c + d = x + 2;
  der(x) = a + c;
end Loop;
