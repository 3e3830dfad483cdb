// A circuit that has to be reduced: a voltage source drives two capacitors in series beside a third, so that source and capacitors
// form a loop. Of three voltages one remains as a state; the source's derivative is needed, and it is differentiated once.
model Circuit
  parameter Real C1 = 1, C2 = 2, C3 = 3, R = 10;
  Real u1(start = 0, fixed = true), u2, u3, i1, i2, i3, i0, u0;
equation
  u0 = sin(time);
  C1*der(u1) = i1;
  C2*der(u2) = i2;
  C3*der(u3) = i3;
  u0 = u3;
  u0 = u1 + u2;
  i1 = i2 + u2/R;
  i0 = i1 + i3;
end Circuit;
//! expect
// structural index 2
//   e0 x1  u3 = sin(time)
//   e4 x1  u3 = u1 + u2
// equations
//   e0: u3 = sin(time)
//   e1: C1*der(u1) = i1
//   e2: C2*der(u2) = i2
//   e3: C3*der(u3) = i3
//   e4: u3 = u1 + u2
//   e5: i1 = i2 + u2/R
//   e6: i0 = i1 + i3
//   e7: der(u3) = cos(time)  // derivative of e0
//   e8: der(u3) = der(u1) + der(u2)  // derivative of e4
