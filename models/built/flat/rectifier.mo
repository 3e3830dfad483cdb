// The same circuit as equations.
model Rectifier
  Real v(start = 0, fixed = true), T(start = 300, fixed = true), i, u, s(start = 0);
  Boolean off(start = true);
equation
  u = 12*sin(2*3.14159265358979*5*time) - v;
  off = s < 0;
  u = s*(if off then 1 else 0.1) + 0.5;
  i = s*(if off then 1e-4 else 1) + 1e-4*0.5;
  0.01*der(v) = i - v/20;
  5*der(T) = v^2/20;
  annotation(experiment(StopTime = 1, Tolerance = 1e-8));
end Rectifier;
