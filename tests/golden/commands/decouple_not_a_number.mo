// A Jacobian that is not finite at the start; at another operating point it is.
//! command analyze MODEL
//! command run MODEL --decouple
//! command analyze MODEL --at 0.5
//! shown run MODEL -o a.csv --decouple cut=1 --at 0.5
model DecoupleNotANumber
  Real level(start = 0, fixed = true), below(start = 0, fixed = true);
equation
  der(level) = 10*(1 - sqrt(level));
  der(below) = sqrt(level) - below;
end DecoupleNotANumber;
//! expect
// exit code 1
// error[C005]: the Jacobian of the derivatives cannot be evaluated at time 0
//  = der(level) has no finite slope with respect to level
//  = hint: choose other operating points with `--at`, or other start values
//
//
// exit code 0
// exit code 0
// exit code 1
// error[R201]: the step size became too small: 2.025e-26 at time 0
//  = der(level) has no finite slope with respect to level
//  = last accepted point at time 0, method explicit/implicit Euler of order 1
//  = the results so far are in a.incomplete.csv
//
//
// files: DecoupleNotANumber_res.mat a.incomplete.csv
