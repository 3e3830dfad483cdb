model Fast
  Real x(start = 1, fixed = true);
equation
  der(x) = -1e300*x;
  annotation(experiment(StopTime = 1));
end Fast;
//! expect
// error[R217]: a state changes faster than times can be told apart: steps below 8.882e-26 are lost in rounding at time 0
//  = fastest is `x` = 1e0 with the derivative -1e300
//  = hint: a rate that is far too fast for the length of the run is mostly a wrong unit or a division by a small number
//
