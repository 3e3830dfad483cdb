// Fewer than two states: nothing to separate, neither for an analysis nor for a run or a simulator.
//! command analyze MODEL
//! command run MODEL --decouple
//! command build MODEL --decouple
model DecoupleOneState
  Real level(start = 1, fixed = true);
equation
  der(level) = -level;
end DecoupleOneState;
//! expect
// exit code 1
// error[C004]: the model has only one continuous state; there is nothing to separate
//  = cycle analysis sorts continuous states by their time scales and needs at least two of them
//
//
// exit code 1
// error[C004]: the model has only one continuous state; there is nothing to separate
//  = cycle analysis sorts continuous states by their time scales and needs at least two of them
//
//
// exit code 1
// error[C004]: the model has only one continuous state; there is nothing to separate
//  = cycle analysis sorts continuous states by their time scales and needs at least two of them
//
//
// files:
