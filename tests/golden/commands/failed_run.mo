// A run that fails keeps its results under a name that says so.
//! command run MODEL -o a.mat
model FailedRun
  Real x(start = 1, fixed = true);
equation
  der(x) = x^2;
  annotation(experiment(StopTime = 2));
end FailedRun;
//! expect
// exit code 1
// error[R201]: the step size became too small: 8.790e-16 at time 0.99999617
//  = the error of the step is largest for `x` = 32102921180019.375
//  = last accepted point at time 0.9999961695362939, method bdf of order 5
//  = the results so far are in a.incomplete.mat
//
//
// files: a.incomplete.mat
