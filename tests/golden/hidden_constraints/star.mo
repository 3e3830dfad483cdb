// A star point makes the sum of the currents zero, so the zero-sequence current is no state: it vanishes.
model Star
  Real i[3], v[3], u[3], i0(start = 0), v0, star;
equation
  for k in 1:3 loop
    v[k] = sin(time + 2*k) - star;
    u[k] = v[k] - v0;
    u[k] = 2.5*i[k];
  end for;
  i[1] + i[2] + i[3] = 0;
  3*i0 = i[1] + i[2] + i[3];
  v0 = 0.1*der(i0);
end Star;
//! expect
// aliases of Star: 6 eliminated
//   u[1] = v[1]
//   u[2] = v[2]
//   u[3] = v[3]
//   i0 = 0
//   v0 = 0
//   der(i0) = 0
// equations
//   e0: v[1] = sin(time + 2) - star
//   e1: v[1] = 2.5*i[1]
//   e2: v[2] = sin(time + 4) - star
//   e3: v[2] = 2.5*i[2]
//   e4: v[3] = sin(time + 6) - star
//   e5: v[3] = 2.5*i[3]
//   e6: i[3] + (i[1] + i[2]) = 0
