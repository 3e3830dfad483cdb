// A pendulum in Cartesian coordinates, pushed so hard that it turns over again and again.
// Shows: states that are chosen while the model runs. Neither x nor y can tell the position all the way round: where the rod is
// upright x can, where it is level y can. At every quarter the other coordinate and its speed become the states.
// Expected: about 21 turns in 20 s and four changes of states in each; energy stays at 22.19 and drift at zero.
model RotatingPendulum "Pendulum in Cartesian coordinates that turns over"
  parameter Real L(unit = "m") = 1 "length", g(unit = "m/s2") = 9.81 "gravity";
  Real x(start = 0, fixed = true) "to the right", y(start = -1) "upwards";
  Real vx(start = 8, fixed = true), vy "velocity";
  Real F "force of the rod by mass and length";
  Real energy = (vx^2 + vy^2)/2 + g*y "energy by mass";
  Real drift = x^2 + y^2 - L^2 "how far the rod is from its length";
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -F*x;
  der(vy) = -F*y - g;
  x^2 + y^2 = L^2;
  annotation(experiment(StopTime = 20, Tolerance = 1e-9));
end RotatingPendulum;
