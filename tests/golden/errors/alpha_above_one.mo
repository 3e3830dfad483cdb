//! decouple alpha=2
model Motor
  Real I(start = 0, fixed = true), w(start = 0, fixed = true), phi(start = 0, fixed = true);
equation
  3e-3*der(I) = 500 - 50e-3*I - 6.785*w;
  1500*der(w) = 6.785*I - 0.001*w - 2500;
  der(phi) = w;
end Motor;
//! expect
// error[C001]: alpha is 2, but has to be above 0 and at most 1
//  = alpha is the part of a perturbation that may be left after it went once around a cycle of states
//  = hint: the default is 0.5; 1 allows the longest steps
//
