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
// model Coupled: 8 states, 11 cycles, at time 0
// in steps of explicit Euler, what goes once around a cycle of states comes back with 0.5 of its size (alpha)
//
//   state       step below  cycle
//   z            0.0714282  z → zdot
//   zdot         0.0714282  z → zdot
//   theta        0.0996019  theta → thetadot
//   thetadot     0.0996019  theta → thetadot
//   a              2.75161  a → b → c
//   b              2.75161  a → b → c
//   c              2.75161  a → b → c
//   ------------------------
//   grows               10  grows
//
// how far time scales lie apart (stiffness index sigma)        140.001
// how clearly one gap parts them, 0 to 1 (separability s)      0.80432
// largest by smallest rate of the model (ratio of eigenvalues) 140
// cut 7     largest gap: 7 fast, 1 slow; gap 7.24839, factor 3.63424; step 5, spectral radius 2.91692 (above 1: errors grow)
// cut 4     largest log gap: 4 fast, 4 slow; gap 2.652, factor 27.6261; step 1.3758, spectral radius 1.36949 (above 1: errors grow)
// note: grow by themselves at an operating point: grows
// note: 2 entries of the Jacobian are rounding of zero and were dropped; with all possible entries there would be 12 cycles
