// The same signals.
model All
  Real x(start = 1, fixed = true), y(start = 0.5, fixed = true), z;
equation
  0.2*der(x) = 4*sin(2*3.14159265358979*time) - x;
  z = smooth(0, if x > 1.5 then 1.5 elseif x < -1 then -1 else x);
  der(y) = 3*z;
  annotation(experiment(StopTime = 3, Tolerance = 1e-8));
end All;
