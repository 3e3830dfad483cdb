// Choices that are refused: alpha out of range, an unknown state, cuts that leave nothing or no step, words that are none.
//! command run MODEL --decouple alpha=0
//! command run MODEL --decouple alpha=1.01
//! command run MODEL --decouple fast=I,omega
//! command run MODEL --decouple cut=3
//! command run MODEL --decouple cut=2
//! command run MODEL --decouple h=-1
//! command run MODEL --decouple speed=1
//! command run MODEL --decouple cut=1;fast=I
//! command run MODEL --decouple --pair magic
//! command run MODEL --decouple step=0.1 --pair bdf
//! command run MODEL --at 0
//! command build MODEL --decouple fast=omega
model DecoupleRefused
  parameter Real L = 3e-3, R = 50e-3, J = 1500, b = 0.001, km = 6.785;
  Real I(start = 0, fixed = true), w(start = 0, fixed = true), phi(start = 0, fixed = true);
equation
  L*der(I) = 500 - R*I - km*w;
  J*der(w) = km*I - b*w - 2500;
  der(phi) = w;
  annotation(experiment(StopTime = 8));
end DecoupleRefused;
//! expect
// exit code 1
// error[C001]: alpha is 0, but has to be above 0 and at most 1
//  = alpha is the part of a perturbation that may be left after it went once around a cycle of states
//  = hint: the default is 0.5; 1 allows the longest steps
//
//
// exit code 1
// error[C001]: alpha is 1.01, but has to be above 0 and at most 1
//  = alpha is the part of a perturbation that may be left after it went once around a cycle of states
//  = hint: the default is 0.5; 1 allows the longest steps
//
//
// exit code 1
// error[C002]: `omega` in `fast=` is not a state of the model
//  = the states are I, w, phi
//
//
// exit code 1
// error[C008]: `cut=3` leaves no states on one side: the model has 3 states
//  = hint: choose a cut from 1 to 2
//
//
// exit code 0
// warning: half the step changes `I` by 2.42 % of its range: the step 0.016 does not resolve the model
// exit code 1
// error[C006]: `h` has to be a positive number, not `-1`
//  = choices are pair=euler, h=0.1, alpha=0.5, cut=8, fast=I,w, step=0.2 and step=adaptive, joined by semicolons
//  = hint: for example `--decouple 'pair=euler;fast=I,w;step=0.2'`
//
//
// exit code 1
// error[C006]: there is no choice `speed`
//  = choices are pair=euler, h=0.1, alpha=0.5, cut=8, fast=I,w, step=0.2 and step=adaptive, joined by semicolons
//  = hint: for example `--decouple 'pair=euler;fast=I,w;step=0.2'`
//
//
// exit code 1
// error[C006]: only one of `h`, `cut` and `fast` can choose the fast states
//  = choices are pair=euler, h=0.1, alpha=0.5, cut=8, fast=I,w, step=0.2 and step=adaptive, joined by semicolons
//  = hint: for example `--decouple 'pair=euler;fast=I,w;step=0.2'`
//
//
// exit code 2
// error: invalid value 'magic' for '--pair <PAIR>': there is no pair of methods `magic`; there are euler, midpoint, heun, imex3, imex4, imex5, bdf
//
// For more information, try '--help'.
// exit code 1
// error[C006]: the pair `bdf` has no fixed steps
//  = hint: leave the step out, or choose another pair, for example `--pair imex3`
//
//
// exit code 2
// error: the following required arguments were not provided:
//   --decouple[=<CHOICE>]
//
// Usage: partita run --decouple[=<CHOICE>] --at <AT> <FILE>
//
// For more information, try '--help'.
// exit code 1
// error[C002]: `omega` in `fast=` is not a state of the model
//  = the states are I, w, phi
//
//
// files: DecoupleRefused_res.mat
