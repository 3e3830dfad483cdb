//! decouple
model Tank
  Real level(start = 1, fixed = true);
equation
  der(level) = -level;
end Tank;
//! expect
// error[C004]: the model has only one continuous state; there is nothing to separate
//  = cycle analysis sorts continuous states by their time scales and needs at least two of them
//
