//! decouple cut=3
model Motor
  Real I(start = 0, fixed = true), w(start = 0, fixed = true), phi(start = 0, fixed = true);
equation
  3e-3*der(I) = 500 - 50e-3*I - 6.785*w;
  1500*der(w) = 6.785*I - 0.001*w - 2500;
  der(phi) = w;
end Motor;
//! expect
// error[C008]: `cut=3` leaves no states on one side: the model has 3 states
//  = hint: choose a cut from 1 to 2
//
