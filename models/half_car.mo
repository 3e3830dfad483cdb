// Half of a car body on two springs and dampers, driven over a kerb of 15 cm by both axles at time 2.
// Shows: a time event that changes the right-hand side, an `if` expression with a relation of time, lightly damped motion.
// Expected: the body sinks under its weight to about -0.10 m, settles, jumps at time 2 and settles about 15 cm higher.
model HalfCar "Heave and pitch of a half-car model over a step in the road"
  parameter Real M(unit = "kg") = 1000 "mass of the body";
  parameter Real J(unit = "kg.m2") = 2100 "moment of inertia in pitch";
  parameter Real kf(unit = "N/m") = 28000, kr(unit = "N/m") = 21000 "stiffness of one front and one rear spring";
  parameter Real df(unit = "N.s/m") = 3500, dr(unit = "N.s/m") = 3500 "damping of one front and one rear damper";
  parameter Real Lf(unit = "m") = 0.9, Lr(unit = "m") = 1.2 "distance of the axles from the centre of mass";
  parameter Real g(unit = "m/s2") = 9.81 "gravity";
  Real z(unit = "m", start = 0, fixed = true) "heave";
  Real zdot(unit = "m/s", start = 0, fixed = true) "speed of heave";
  Real theta(unit = "rad", start = 0, fixed = true) "pitch";
  Real thetadot(unit = "rad/s", start = 0, fixed = true) "speed of pitch";
  Real Ff(unit = "N"), Fr(unit = "N") "forces of both front and both rear suspensions";
  Real h(unit = "m") "height of the road";
  Real tau_a(unit = "N.m") "torque of acceleration";
equation
  tau_a = 500;
  h = if time >= 2 then 0.15 else 0;
  Ff = 2*kf*(Lf*theta - (z - h)) + 2*df*(Lf*thetadot - zdot);
  Fr = -2*kr*(Lr*theta + (z - h)) - 2*dr*(Lr*thetadot + zdot);
  der(z) = zdot;
  der(theta) = thetadot;
  M*der(zdot) = Ff + Fr - M*g;
  J*der(thetadot) = -Lf*Ff + Lr*Fr + tau_a;
  annotation(experiment(StopTime = 5, Tolerance = 1e-8));
end HalfCar;
