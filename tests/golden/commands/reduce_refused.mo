// Reductions that are refused: an output that is not there, one that is constant, one without range, an error that is none, nothing to remove.
//! file bare.mo model Bare|  Real x = sin(time);|end Bare;|
//! command reduce MODEL --by terms --output z
//! command reduce MODEL --by terms --output k
//! command reduce MODEL --by terms --output rest
//! command reduce MODEL --by terms --output x --error 0
//! command reduce MODEL --by terms --output x --error 150%
//! command reduce MODEL --by components --output x
//! command reduce MODEL --by weight --output x
//! command reduce MODEL --by terms
//! command reduce bare.mo --by terms --output x
model ReduceRefused
  parameter Real k = 2;
  Real x(start = 1, fixed = true);
  Real rest(start = 3, fixed = true);
equation
  der(x) = -k*x + sin(time);
  der(rest) = 3 - rest;
end ReduceRefused;
//! expect
// exit code 1
// error[C107]: the model has no variable `z`
//  = it has `x`, `rest`, `der(x)`, `der(rest)`
//
//
// exit code 1
// error[C108]: the output `k` is constant: nothing in the model changes it
//  = hint: choose a variable that changes during the run
//
//
// exit code 1
// error[C109]: the output `rest` does not change in this run: its range is zero, and errors are parts of it
//  = it is 3 from the start to the end
//  = hint: choose another output, a longer run, or an input that moves it
//
//
// exit code 2
// error: invalid value '0' for '--error <ERROR>': it has to be more than zero
//
// For more information, try '--help'.
// exit code 2
// error: invalid value '150%' for '--error <ERROR>': it has to be less than the whole range
//
// For more information, try '--help'.
// exit code 1
// error[C102]: the model ReduceRefused has no connectors: there are no components to rank
//  = connectors are recognised by their members: v and i, s and f, phi and tau, T and Q_flow, V_m and Phi, the frames of multibody
//  = hint: terms of equations can be ranked in any model: `partita rank MODEL.mo --terms --output y`
//
//
// exit code 2
// error: invalid value 'weight' for '--by <BY>'
//   [possible values: components, terms, order]
//
// For more information, try '--help'.
// exit code 2
// error: the following required arguments were not provided:
//   --output <NAME>
//
// Usage: partita reduce --by <BY> --output <NAME> <FILE>
//
// For more information, try '--help'.
// exit code 1
// error[C110]: the model Bare has no equation with terms that could be removed
//  = terms are addends of scalar continuous equations in the section `equation`, outside of `for`, `if` and `when`; of equations that only give another name to a variable they are none
//
//
// files: bare.mo
