// Analyses that are refused: alpha out of range, a time that is none, a point beyond the end of the run.
//! command analyze MODEL --alpha 0
//! command analyze MODEL --alpha 1.5
//! command analyze MODEL --alpha -1
//! command analyze MODEL --alpha nan
//! command analyze MODEL --at soon
//! command analyze MODEL --self-loop mine
//! command analyze MODEL --html nowhere/m.html
model AnalyzeRefused
  parameter Real L = 3e-3, R = 50e-3, J = 1500, b = 0.001, km = 6.785;
  Real I(start = 0, fixed = true), w(start = 0, fixed = true), phi(start = 0, fixed = true);
equation
  L*der(I) = 500 - R*I - km*w;
  J*der(w) = km*I - b*w - 2500;
  der(phi) = w;
  annotation(experiment(StopTime = 8));
end AnalyzeRefused;
//! expect
// exit code 1
// error[C001]: alpha is 0, but has to be above 0 and at most 1
//  = alpha is the part of a perturbation that may be left after it went once around a cycle of states
//  = hint: the default is 0.5; 1 allows the longest steps
//
//
// exit code 1
// error[C001]: alpha is 1.5, but has to be above 0 and at most 1
//  = alpha is the part of a perturbation that may be left after it went once around a cycle of states
//  = hint: the default is 0.5; 1 allows the longest steps
//
//
// exit code 1
// error[C001]: alpha is -1, but has to be above 0 and at most 1
//  = alpha is the part of a perturbation that may be left after it went once around a cycle of states
//  = hint: the default is 0.5; 1 allows the longest steps
//
//
// exit code 1
// error[C001]: alpha is NaN, but has to be above 0 and at most 1
//  = alpha is the part of a perturbation that may be left after it went once around a cycle of states
//  = hint: the default is 0.5; 1 allows the longest steps
//
//
// exit code 2
// error: invalid value 'soon' for '--at <AT>': `soon` is not a time
//
// For more information, try '--help'.
// exit code 2
// error: invalid value 'mine' for '--self-loop <SELF_LOOP>': there is no formula `mine`; there are printed and compat
//
// For more information, try '--help'.
// exit code 2
// error: cannot write `nowhere/m.html`: No such file or directory (os error 2)
// files:
