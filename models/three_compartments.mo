// Three compartments in a row that exchange their contents: the smallest example of cycle analysis with Heun's method as the probe.
// Shows: `partita analyze --probe heun`: the second power of the Jacobian joins the outer compartments, so that there are 8 cycles
// instead of the 5 of explicit Euler.
// Expected: all contents decay with time constants of 0.5, 1 and 2; at alpha 1 Heun's bounds are 1.6, 12/11 and 1.6.
model ThreeCompartments "Three compartments in a row"
  Real x1(start = 1, fixed = true), x2(start = 0, fixed = true), x3(start = 0, fixed = true) "contents";
equation
  der(x1) = -x1 + 0.5*x2;
  der(x2) = 0.5*x1 - 1.5*x2 + 0.5*x3;
  der(x3) = 0.5*x2 - x3;
  annotation(experiment(StopTime = 10, Tolerance = 1e-8));
end ThreeCompartments;
