// A pendulum in Cartesian coordinates, let go at 45 degrees below the horizontal.
// Shows: index 3; the length constraint is differentiated twice, x and its speed are chosen as states, the rest follows.
// Expected: it swings between x = 0.71 and x = -0.71 with a period of about 2.1 s. The rod never comes near the horizontal, where
// x alone could not tell the position.
model Pendulum "Pendulum in Cartesian coordinates"
  parameter Real L(unit = "m") = 1 "length", g(unit = "m/s2") = 9.81 "gravity";
  Real x(start = 0.7071067811865476, fixed = true, stateSelect = StateSelect.prefer) "to the right";
  Real y(start = -0.7) "upwards";
  Real vx(start = 0, fixed = true, stateSelect = StateSelect.prefer), vy "velocity";
  Real F "force of the rod by mass and length";
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -F*x;
  der(vy) = -F*y - g;
  x^2 + y^2 = L^2;
  annotation(experiment(StopTime = 10, Tolerance = 1e-8));
end Pendulum;
