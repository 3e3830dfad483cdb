model Unsettled
  Real x(start = 0, fixed = true);
  Boolean b(start = false, fixed = true);
equation
  der(x) = 1;
  b = x > 0.5 and not pre(b);
end Unsettled;
//! expect
// error[R103]: the event does not settle in 100 iterations at time 0.5
//  = b is still changing
//  = hint: a discrete equation that depends on its own `pre` value in a loop never comes to rest
//
