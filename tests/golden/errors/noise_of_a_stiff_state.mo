model NoiseOfAStiffState "The voltage over the resistor is a difference of numbers that are equal up to their last digit."
  Real v(start = 0, fixed = true), i;
equation
  i = 1e9*(1 + sin(time) - v);
  1e-6*der(v) = i;
  annotation(experiment(StopTime = 6));
end NoiseOfAStiffState;
//! expect
// warning[R209]: `der(v)` is noise at 475 points at time 0.036
//  = it differs from the slope of `v` by up to 6 % of its range, and so does what is computed from it
//  = hint: the errors of `v` that the tolerance allows are magnified; a smaller tolerance or nominal value shows more
//
