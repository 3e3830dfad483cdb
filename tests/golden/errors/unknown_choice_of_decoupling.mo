//! decouple split=3
model Motor
  Real I(start = 0, fixed = true), w(start = 0, fixed = true), phi(start = 0, fixed = true);
equation
  3e-3*der(I) = 500 - 50e-3*I - 6.785*w;
  1500*der(w) = 6.785*I - 0.001*w - 2500;
  der(phi) = w;
end Motor;
//! expect
// error[C006]: there is no choice `split`
//  = choices are pair=euler, h=0.1, alpha=0.5, cut=8, fast=I,w, step=0.2 and step=adaptive, joined by semicolons
//  = hint: for example `--decouple 'pair=euler;fast=I,w;step=0.2'`
//
