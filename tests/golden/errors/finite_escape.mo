model Escape
  Real x(start = 1, fixed = true);
equation
  der(x) = x^2;
  annotation(experiment(StopTime = 2));
end Escape;
//! expect
// error[R201]: the step size became too small: 7.941e-16 at time 0.999996449
//  = the error of the step is largest for `x` = 37276371050987.14
//  = last accepted point at time 0.9999964491103047, method bdf of order 5
//
