// The same line as a loop over its parts.
model Line
  parameter Integer n = 6;
  Real v[n](each start = 0, each fixed = true), i[n + 1];
equation
  i[1] = (10*sin(2*3.14159265358979*2*time) - v[1])/(3/n);
  for k in 2:n loop
    i[k] = (v[k - 1] - v[k])/(3/n);
  end for;
  i[n + 1] = v[n]/5;
  for k in 1:n loop
    0.06/n*der(v[k]) = i[k] - i[k + 1];
  end for;
  annotation(experiment(StopTime = 2, Tolerance = 1e-8));
end Line;
