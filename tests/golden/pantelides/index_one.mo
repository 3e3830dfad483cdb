// Nothing has to be differentiated: the algebraic unknown follows from the state.
model IndexOne
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -y;
  y = 2*x;
end IndexOne;
//! expect
// structural index 1
// equations
//   e0: der(x) = -y
//   e1: y = 2*x
