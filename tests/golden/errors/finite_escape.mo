model Escape
  Real x(start = 1, fixed = true);
equation
  der(x) = x^2;
  annotation(experiment(StopTime = 2));
end Escape;
//! expect
// error[R201]: the step size became too small: 8.234e-16 at time 0.999999365
//  = the error of the step is largest for `x` = 23985702907495.465
//  = last accepted point at time 0.9999993647212516, method bdf of order 5
//
