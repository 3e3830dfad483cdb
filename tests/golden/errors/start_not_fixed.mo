model NotFixed
  Real x(start = 1), y;
equation
  der(x) = -x;
  der(y) = x;
end NotFixed;
//! expect
// warning[I003]: 2 states start at their start value although it is not fixed: x, y
//  = hint: set `fixed = true` or write initial equations to say what you mean
//
