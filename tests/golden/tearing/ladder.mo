// A resistor ladder: the currents and voltages form one linear system that a single unknown determines.
model Ladder
  parameter Real R = 1, U = 10;
  Real i1, i2, i3, u1, u2, u3;
equation
  U - u1 = R*i1;
  u1 - u2 = R*i2;
  u2 - u3 = R*i3;
  u1 = 2*R*(i1 - i2);
  u2 = 2*R*(i2 - i3);
  u3 = 2*R*i3;
end Ladder;
//! expect
// linear system 0 of 6 equations, iterating on 1 unknown
//   i1 := (U - u1)/R
//   i2 := i1 - u1/(2*R)
//   u2 := u1 - R*i2
//   i3 := i2 - u2/(2*R)
//   u3 := u2 - R*i3
//   solve for u1: 0 = u3 - i3*(2*R)
