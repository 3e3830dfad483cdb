// Two switches side by side carry the current of a coil. The voltage of the first follows from that of the second, not from
// the difference of two potentials, whose rounding errors are larger than the voltage across a closed switch.
model ParallelSwitches
  Real s1, s2, v1, v2, i1, i2, a, u, i(start = 0, fixed = true);
  Boolean off1 = s1 < 0, off2 = s2 < 0;
equation
  a = 150*sin(314*time);
  v1 = s1*(if off1 then 1 else 1e-9);
  i1 = s1*(if off1 then 1e-9 else 1);
  v2 = s2*(if off2 then 1 else 1e-9);
  i2 = s2*(if off2 then 1e-9 else 1);
  v1 = a - u;
  v2 = u - a;
  i = i1 - i2;
  0.02*der(i) = u - 5*i;
end ParallelSwitches;
//! expect
// a := 150*sin(314*time)
// linear system 0 of 7 equations, iterating on 2 unknowns
//   v2 := s2*(if off2 then 1 else 1e-9)
//   i2 := s2*(if off2 then 1e-9 else 1)
//   u := v2 + a
//   i1 := i2 + i
//   v1 := -v2
//   solve for s1: 0 = v1 - s1*(if off1 then 1 else 1e-9)
//   solve for s2: 0 = i1 - s1*(if off1 then 1e-9 else 1)
// der(i) := (u - 5*i)/0.02
