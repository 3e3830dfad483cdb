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
// states
//   u1, derivative der(u1)
// dummy derivatives
//   der(u2)
//   der(u3)
