model Root
  Real x(start = 1, fixed = true);
equation
  der(x) = -sqrt(x) - 0.1;
  annotation(experiment(StopTime = 3));
end Root;
//! expect
// error[R201]: the step size became too small: 9.841e-16 at time 1.52043433
//  = der(x) is not a number
//  = last accepted point at time 1.5204343318931488, method bdf of order 3
//
