//! decouple fast=I,W
model Motor
  Real I(start = 0, fixed = true), w(start = 0, fixed = true), phi(start = 0, fixed = true);
equation
  3e-3*der(I) = 500 - 50e-3*I - 6.785*w;
  1500*der(w) = 6.785*I - 0.001*w - 2500;
  der(phi) = w;
end Motor;
//! expect
// error[C002]: `W` in `fast=` is not a state of the model
//  = the states are I, w, phi
//  = hint: `w` is a state
//
