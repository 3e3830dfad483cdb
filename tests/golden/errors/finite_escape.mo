model Escape
  Real x(start = 1, fixed = true);
equation
  der(x) = x^2;
  annotation(experiment(StopTime = 2));
end Escape;
//! expect
// error[R201]: the step size became too small: 8.790e-16 at time 0.99999617
//  = the error of the step is largest for `x` = 32102921180019.375
//  = last accepted point at time 0.9999961695362939, method bdf of order 5
//
