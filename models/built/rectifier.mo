// A rectifier of the standard library charges a capacitor.
// Shows: components of the Modelica Standard Library, a heat port that is asked for, a thermal part beside the electrical one.
model Rectifier
  import Modelica.Electrical.Analog.Basic;
  Modelica.Electrical.Analog.Sources.SineVoltage source(V = 12, f = 5);
  Modelica.Electrical.Analog.Ideal.IdealDiode diode(Ron = 0.1, Goff = 1e-4, Vknee = 0.5);
  Basic.Capacitor c(C = 0.01, v(start = 0, fixed = true));
  Basic.Resistor r(R = 20, useHeatPort = true);
  Basic.Ground ground;
  Modelica.Thermal.HeatTransfer.Components.HeatCapacitor mass(C = 5, T(start = 300, fixed = true));
equation
  connect(source.p, diode.p);
  connect(diode.n, c.p);
  connect(c.p, r.p);
  connect(c.n, ground.p);
  connect(r.n, ground.p);
  connect(source.n, ground.p);
  connect(r.heatPort, mass.port);
  annotation(experiment(StopTime = 1, Tolerance = 1e-8));
end Rectifier;
