//! decouple
model Outflow
  Real level(start = 0, fixed = true), below(start = 0, fixed = true);
equation
  der(level) = 1 - sqrt(level);
  der(below) = sqrt(level) - below;
end Outflow;
//! expect
// error[C005]: the Jacobian of the derivatives cannot be evaluated at time 0
//  = der(level) has no finite slope with respect to level
//  = hint: choose other operating points with `--at`, or other start values
//
