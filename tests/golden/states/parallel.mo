// Two capacitors in parallel: one voltage is a state, the other follows.
model Parallel
  Real u1(start = 1, fixed = true), u2, i1, i2;
equation
  2*der(u1) = i1;
  3*der(u2) = i2;
  u1 = u2;
  i1 + i2 = -u1;
end Parallel;
//! expect
// states
//   u1, derivative der(u1)
