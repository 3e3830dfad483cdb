model Division
  Real x(start = 1, fixed = true);
equation
  der(x) = 1/time;
end Division;
//! expect
// error[R205]: the results cannot be computed at time 0
//  = der(x) is infinite
//
