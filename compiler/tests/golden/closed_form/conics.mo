// With the feature `symbolica`: two conics that our own rules do not separate, a quotient in three unknowns, and a polynomial of degree six
// that falls into factors. The last system is not rational.
model Conics
  parameter Real a = 2, b = 3;
  Real x(start = 1), y(start = 1);
  Real p(start = 1), q(start = 1), r(start = 1);
  Real z(start = 1.3);
  Real u(start = 1), v(start = 1);
equation
  x^2 + a*y^2 + x*y = 4 + time;
  b*x^2 + y^2 - x*y = 3;
  p*q*r = 1 + time;
  p/q + q/p = 2.5;
  p^2 + q^2 + r^2 = 6;
  (z^2 + z - 1)*(z^4 - 3*z^2 + time) = 0.0;
  u^2 + v^2 = 2 + time;
  u^2*v + sin(u) = 1;
end Conics;
//! expect
