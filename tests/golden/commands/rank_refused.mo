// Rankings that are refused: a model without connectors, a path without components, a window that is none, a metric that is none.
//! file parts.mo model Parts|  Real 'r.p.v'(unit = "V"), 'r.p.i'(unit = "A"), 'r.n.v'(unit = "V"), 'r.n.i'(unit = "A");|  Real 's.p.v'(unit = "V"), 's.p.i'(unit = "A"), 's.n.v'(unit = "V"), 's.n.i'(unit = "A");|equation|  's.p.v' - 's.n.v' = 2 + sin(time);|  's.n.v' = 0;|  's.p.i' + 's.n.i' = 0;|  'r.p.v' - 'r.n.v' = 3*'r.p.i';|  'r.p.i' + 'r.n.i' = 0;|  's.p.v' = 'r.p.v';|  's.n.v' = 'r.n.v';|  's.p.i' + 'r.p.i' = 0;|end Parts;|
//! command rank MODEL
//! command rank parts.mo --under motor
//! command rank parts.mo --window 2,1
//! command rank parts.mo --metric weight
//! command rank MODEL --terms --output z
//! command rank MODEL --terms
model RankRefused
  Real x(start = 1, fixed = true);
equation
  der(x) = -x + sin(time);
end RankRefused;
//! expect
// exit code 1
// error[C102]: the model RankRefused has no connectors: there are no components to rank
//  = connectors are recognised by their members: v and i, s and f, phi and tau, T and Q_flow, V_m and Phi, the frames of multibody
//  = hint: terms of equations can be ranked in any model: `partita rank MODEL.mo --terms --output y`
//
//
// exit code 1
// error[C103]: the model has no components below `motor`
//  = there are `r`, `s`
//
//
// exit code 2
// error: invalid value '2,1' for '--window <FROM,TO>': `2,1` is no window; it has two times, the earlier one first: 0,2.5
//
// For more information, try '--help'.
// exit code 2
// error: invalid value 'weight' for '--metric <METRIC>': there is no metric `weight`; there are activity, rms, pca, relative
//
// For more information, try '--help'.
// exit code 1
// error[C107]: the model has no variable `z`
//  = it has `x`, `der(x)`
//
//
// exit code 2
// error: the following required arguments were not provided:
//   --output <NAME>
//
// Usage: partita rank --terms --output <NAME> <FILE>
//
// For more information, try '--help'.
// files: parts.mo
