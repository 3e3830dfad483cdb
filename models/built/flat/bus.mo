// The same tanks and their controller.
model All
  Real level[3](start = {1, 0.5, 0}, each fixed = true), q[2], inflow;
equation
  inflow = 2*(1.5 - level[3]);
  q = 0.3*(level[1:2] - level[2:3]);
  der(level[1]) = inflow - q[1];
  0.5*der(level[2]) = q[1] - q[2];
  2*der(level[3]) = q[2] - 0.05;
  annotation(experiment(StopTime = 20, Tolerance = 1e-8));
end All;
