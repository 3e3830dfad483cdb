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
// start
//   x, y: in closed form
//     0 = ((time + 4)*((time + 4)*(b*b) - 6*b) + 9) + (b*(6*a + (time + 4 - 3 + b*(a*((-2)*(time + 4))))) + (-9 - (time + 4)))*y^2 + (a*a*(b*b) + (b + (a + 2 - a*b)))*y^4
//     x = y*(y*y*(b*(a - 1 - b*(a*a)) + (-2 - a)) + (b*(b*(a*(time + 4)) + 3 - 3*a) + (time + 4 + 6)))/(b*(b*(time + 4) + (time + 4 - 3)) - 3)
//   q, p, r: by Newton's method
//   z: in closed form
//    root 1 of 2
//     0 = (-1) + (1)*z + (1)*z^2
//    root 2 of 2
//     0 = (time) + (-3)*z^2 + (1)*z^4
//   u, v: by Newton's method
// simulation
//   x, y: in closed form
//     0 = ((time + 4)*((time + 4)*(b*b) - 6*b) + 9) + (b*(6*a + (time + 4 - 3 + b*(a*((-2)*(time + 4))))) + (-9 - (time + 4)))*y^2 + (a*a*(b*b) + (b + (a + 2 - a*b)))*y^4
//     x = y*(y*y*(b*(a - 1 - b*(a*a)) + (-2 - a)) + (b*(b*(a*(time + 4)) + 3 - 3*a) + (time + 4 + 6)))/(b*(b*(time + 4) + (time + 4 - 3)) - 3)
//   q, p, r: by Newton's method
//   z: in closed form
//    root 1 of 2
//     0 = (-1) + (1)*z + (1)*z^2
//    root 2 of 2
//     0 = (time) + (-3)*z^2 + (1)*z^4
//   u, v: by Newton's method
