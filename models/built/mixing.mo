// Two streams of oil meet and flow through a volume.
// Shows: stream connectors, a package of properties that is replaced in all components, functions that extend inherited ones.
model Mixing
  package Medium = Parts.Fluid.Oil;
  Parts.Fluid.Source cold(redeclare package Medium = Medium, T = 293.15);
  Parts.Fluid.Source hot(redeclare package Medium = Medium, T = 353.15);
  Parts.Fluid.Tee tee;
  Parts.Fluid.Volume volume(redeclare package Medium = Medium, m = 2, T_start = 300);
  Parts.Fluid.Sink sink(redeclare package Medium = Medium);
equation
  cold.m_flow = 1;
  hot.m_flow = 0.5 + 0.4*sin(time);
  connect(cold.port, tee.a);
  connect(hot.port, tee.b);
  connect(tee.c, volume.a);
  connect(volume.b, sink.port);
  annotation(experiment(StopTime = 10, Tolerance = 1e-8));
end Mixing;
