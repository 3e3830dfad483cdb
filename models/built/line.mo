// A pulse runs along a line of many equal parts into a load.
// Shows: an array of components whose size is a parameter, connections in loops, a source whose signal is replaced.
model Line
  parameter Integer n = 6;
  Parts.Electrical.Source source(redeclare Parts.Signals.Sine signal(amplitude = 10, f = 2));
  Parts.Electrical.Line line(n = n, R = 3, C = 0.06);
  Parts.Electrical.Resistor load(R = 5);
  Parts.Electrical.Ground ground;
equation
  connect(source.p, line.p);
  connect(line.c[n].p, load.p);
  connect(load.n, ground.p);
  connect(line.n_pin, ground.p);
  connect(source.n, ground.p);
  annotation(experiment(StopTime = 2, Tolerance = 1e-8));
end Line;
