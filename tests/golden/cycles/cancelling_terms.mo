// Terms that cancel are no influence: the stiffness couples z and theta only by rounding. The cycle of three compartments is limited by
// all of them together, and a state that grows by itself is named.
model Coupled
  parameter Real kf = 28000.3, kr = 21000.225, Lf = 0.9, Lr = 1.2;
  Real z(start = 0, fixed = true), zdot(start = 0, fixed = true), theta(start = 0, fixed = true), thetadot(start = 0, fixed = true);
  Real a(start = 1, fixed = true), b(start = 0, fixed = true), c(start = 0, fixed = true), grows(start = 1, fixed = true);
equation
  der(z) = zdot;
  der(theta) = thetadot;
  1000*der(zdot) = 2*kf*(Lf*theta - z) - 2*kr*(Lr*theta + z) - 14000*zdot;
  2100*der(thetadot) = -2*Lf*kf*(Lf*theta - z) - 2*Lr*kr*(Lr*theta + z) - 15750*thetadot;
  der(a) = -0.01*a + 0.2*c;
  der(b) = 0.3*a - 0.02*b;
  der(c) = 0.4*b - 0.03*c;
  der(grows) = 0.05*grows;
end Coupled;
//! expect
