// What the run-time reads by its slot keeps a variable of its own.
model Delayed
  parameter Real T = 0.3;
  Real s, u, y;
equation
  s = sin(time);
  u = s;
  y = delay(u, T);
end Delayed;
//! expect
// aliases of Delayed: 1 eliminated
//   u = s
// equations
//   e0: s = sin(time)
//   e1: y = $delay4
//   e2: $delayed1 = s
