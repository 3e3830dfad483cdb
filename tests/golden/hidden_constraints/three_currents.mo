// Kirchhoff's law says that the sum of three currents is zero; that `i` is zero only appears when the equations are added up.
model ThreeCurrents
  Real a(start = 1, fixed = true);
  Real b;
  Real c;
  Real i;
  Real u;
equation
  a + b + c = 0;
  3*i = a + b + c;
  der(i) = u - i;
  der(a) = -a + u;
  b - c = sin(time);
end ThreeCurrents;
//! expect
// aliases of ThreeCurrents: 3 eliminated
//   i = 0
//   u = 0
//   der(i) = 0
// equations
//   e0: c + (a + b) = 0
//   e1: der(a) = -a
//   e2: b - c = sin(time)
