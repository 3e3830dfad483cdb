// A pendulum that hangs: its height and the rate of it, which are the states, leave open where it swings to.
model StartTakenInstead
  Real x(start = 0), y(start = -1), vx(start = 1), vy(start = 0), lambda;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -lambda*x;
  der(vy) = -lambda*y - 9.81;
  x^2 + y^2 = 1;
  annotation(experiment(StopTime = 0.1));
end StartTakenInstead;
//! expect
// warning[I003]: 2 states start at their start value although it is not fixed: y, vy
//  = hint: set `fixed = true` or write initial equations to say what you mean
//
// warning: nothing starts at the start values of vy, which are not fixed; it starts at those of vx instead: the equation 2*x*der(der(x)) + der(x)*(2*der(x)) + (2*y*der(der(y)) + der(y)*(2*der(y))) = 0 has no finite value at the guess
