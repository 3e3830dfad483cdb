// The motor of the papers: a self loop limits the current, a cycle of two states the speed, nothing the angle.
model Motor
  Real I(start = 0, fixed = true), w(start = 0, fixed = true), phi(start = 0, fixed = true);
equation
  3e-3*der(I) = 500 - 50e-3*I - 6.785*w;
  1500*der(w) = 6.785*I - 0.001*w - 2500;
  der(phi) = w;
end Motor;
//! expect
// model Motor: 3 states, 4 cycles, at time 0
// in steps of explicit Euler, what goes once around a cycle of states comes back with 0.5 of its size (alpha)
//
//   state    step below  cycle
//   I              0.09  I
//   ---------------------
//   w          0.221076  I → w
//   phi            none  no cycle
//
// how far time scales lie apart (stiffness index sigma)        2.4564
// how clearly one gap parts them, 0 to 1 (separability s)      0
// largest by smallest rate of the model (ratio of eigenvalues) 25.1127
// cut 1     largest gap: 1 fast, 2 slow; gap 0.131076, factor 2.4564; step 0.110538, spectral radius 1
// note: 1 state is on no cycle that limits the step; it is slow in every cut
