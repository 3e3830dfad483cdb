// Of position and speed in both directions one pair is integrated; the choice can become singular and says so.
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
// states
//   x, derivative der(x)
//   der(x), derivative der(der(x))
// dummy derivatives
//   der(y)
//   der(w)
//   der(z)
//   der(der(y))
// choice that can become singular: der(w), der(z), der(der(y)) of der(w), der(z), der(der(x)), der(der(y))
// chosen again while running: 1 of der(x), der(y)
// chosen again while running: 1 of x, y
