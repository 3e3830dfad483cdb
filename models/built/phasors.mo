// A filter for alternating current, its source growing slowly.
// Shows: operator records in connectors, arrays of components of them, constants of a package by import.
model Phasors
  import Parts.Phasors.{Impedance, Voltage, Ground, Phasor, j};
  parameter Integer n = 2;
  Voltage source(amplitude = 10 + time);
  Impedance along[n](Z = {Phasor(1, k) for k in 1:n});
  Impedance across[n](each Z = Phasor(4, -3));
  Ground ground;
  Phasor out = across[n].v*j;
equation
  connect(source.p, along[1].p);
  for k in 1:n loop
    connect(along[k].n, across[k].p);
    connect(across[k].n, ground.p);
  end for;
  connect(along[1].n, along[2].p);
  connect(source.n, ground.p);
  annotation(experiment(StopTime = 1));
end Phasors;
