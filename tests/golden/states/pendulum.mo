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
