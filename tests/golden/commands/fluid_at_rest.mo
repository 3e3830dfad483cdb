// What no equation determines keeps its value, and is named.
//! command run MODEL -o a.mat
model FluidAtRest "While nothing flows, the temperature of the flow is not determined"
  Real m = if time < 0.5 then 0 else 2;
  Real h(start = 4), a, b;
equation
  a = m*h;
  b = m*(h - 1);
  a + b = 3*m;
  annotation(experiment(StopTime = 1));
end FluidAtRest;
//! expect
// exit code 0
// warning: at time 0: the equations a = m*h, b = m*(h - 1) do not determine h here; its value is kept
// files: a.mat
