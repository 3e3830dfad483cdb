// Pantelides (1988), p. 222-225: the length constraint is differentiated twice, the kinematic equations once.
model Pendulum
  parameter Real L = 1, g = 9.81;
  Real x(start = 1), y, w, z, T;
equation
  der(x) = w;
  der(y) = z;
  der(w) = T*x;
  der(z) = T*y - g;
  x^2 + y^2 = L^2;
end Pendulum;
//! expect
// structural index 3
//   e0 x1  der(x) = w
//   e1 x1  der(y) = z
//   e4 x2  x*x + y*y = L*L
// equations
//   e0: der(x) = w
//   e1: der(y) = z
//   e2: der(w) = x*T
//   e3: der(z) = y*T - g
//   e4: x*x + y*y = L*L
//   e5: der(y)*(2*y) + der(x)*(2*x) = 0  // derivative of e4
//   e6: 2*x*der(der(x)) + der(x)*(2*der(x)) + (2*y*der(der(y)) + der(y)*(2*der(y))) = 0  // derivative of e5
//   e7: der(der(x)) = der(w)  // derivative of e0
//   e8: der(der(y)) = der(z)  // derivative of e1
