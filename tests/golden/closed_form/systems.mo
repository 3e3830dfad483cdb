// Systems of several unknowns that our own rules bring to one: a product of unknowns, factors that open branches, three equations of which
// two are linear in an unknown; and one that is linear in neither.
model Systems
  parameter Real power = 6;
  Real x(start = 1), y(start = 2);
  Real p(start = 1), q(start = 1);
  Real flow_a(start = 1), flow_b(start = 1), head(start = 2);
  Real u(start = 1), v(start = 2);
equation
  x*y = power + time;
  x^2 + y^2 = 13 + x*time;
  (p - 1 - time)*(q - 2) = 0;
  p*q + p^2*q^2 = 6 + time;
  flow_a*head = 4 + time;
  flow_b*head^2 = 2;
  flow_a*flow_b*(1 + time) = 1;
  u^2 + v^2 = 4 + time;
  u^2*v^2 + u*v^3 = 3;
end Systems;
//! expect
// start
//   x, y: in closed form where Newton's method fails
//     0 = [((power + time)*(power + time))*y + (-time*(power + time))*y^2 + (-13)*y^3 + (1)*y^5] / [(1)*y^3]
//     x = (power + time)/y
//   p, q: in closed form
//    root 1 of 2
//     0 = (-(time + 6)) + (time + 1)*q + ((time + 1)*(time + 1))*q^2
//     p = time + 1
//    root 2 of 2
//     0 = (-(time + 6)) + (2)*p + (4)*p^2
//     q = 2
//   head, flow_b, flow_a: in closed form where Newton's method fails
//     0 = [(-(time + 4)*(time + 4)) + (2*(time + 1))*flow_a^3] / [((time + 4)*(time + 4))]
//     flow_b = 2/((time + 4)/flow_a*((time + 4)/flow_a))
//     head = (time + 4)/flow_a
//   u, v: by Newton's method
// simulation
//   x, y: in closed form where Newton's method fails
//     0 = [((power + time)*(power + time))*y + (-time*(power + time))*y^2 + (-13)*y^3 + (1)*y^5] / [(1)*y^3]
//     x = (power + time)/y
//   p, q: in closed form
//    root 1 of 2
//     0 = (-(time + 6)) + (time + 1)*q + ((time + 1)*(time + 1))*q^2
//     p = time + 1
//    root 2 of 2
//     0 = (-(time + 6)) + (2)*p + (4)*p^2
//     q = 2
//   head, flow_b, flow_a: in closed form where Newton's method fails
//     0 = [(-(time + 4)*(time + 4)) + (2*(time + 1))*flow_a^3] / [((time + 4)*(time + 4))]
//     flow_b = 2/((time + 4)/flow_a*((time + 4)/flow_a))
//     head = (time + 4)/flow_a
//   u, v: by Newton's method
