//! decouple cut=2
model Motor
  Real I(start = 0, fixed = true), w(start = 0, fixed = true), phi(start = 0, fixed = true);
equation
  3e-3*der(I) = 500 - 50e-3*I - 6.785*w;
  1500*der(w) = 6.785*I - 0.001*w - 2500;
  der(phi) = w;
end Motor;
//! expect
// error[C007]: no step follows from the time scales: no cycle limits the step of the slow states
//  = hint: give the step: `step=0.1` in `--decouple`, or `--step 0.1`
//
