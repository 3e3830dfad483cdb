// The tip of a rod on a ball joint: its three coordinates could be states by structure, but they lie on a sphere.
model StartOfAnOrientation
  Real r[3](each start = 0), v[3], f[3];
  Real Q[4](start = {0, 0, 0, 1}, each stateSelect = StateSelect.avoid), T[3, 3], w[3](each start = 0, each stateSelect = StateSelect.avoid);
equation
  T[1, :] = {2*(Q[1]^2 + Q[4]^2) - 1, 2*(Q[1]*Q[2] + Q[3]*Q[4]), 2*(Q[1]*Q[3] - Q[2]*Q[4])};
  T[2, :] = {2*(Q[2]*Q[1] - Q[3]*Q[4]), 2*(Q[2]^2 + Q[4]^2) - 1, 2*(Q[2]*Q[3] + Q[1]*Q[4])};
  T[3, :] = {2*(Q[3]*Q[1] + Q[2]*Q[4]), 2*(Q[3]*Q[2] - Q[1]*Q[4]), 2*(Q[3]^2 + Q[4]^2) - 1};
  w = 2*{Q[4]*der(Q[1]) + Q[3]*der(Q[2]) - Q[2]*der(Q[3]) - Q[1]*der(Q[4]), (-Q[3]*der(Q[1])) + Q[4]*der(Q[2]) + Q[1]*der(Q[3]) - Q[2]*der(Q[4]), Q[2]*der(Q[1]) - Q[1]*der(Q[2]) + Q[4]*der(Q[3]) - Q[3]*der(Q[4])};
  Q*Q = 1;
  r = T[1, :];
  v = der(r);
  f = T*(der(v) + {0, 9.81, 0});
  {0.1*der(w[1]), 0.1*der(w[2]), 0.1*der(w[3])} + {0, -f[3], f[2]} = {0, 0, 0};
  annotation(experiment(StopTime = 0.5));
end StartOfAnOrientation;
//! expect
// warning[I003]: 6 states start at their start value although it is not fixed: r[1], r[2], r[3], w[1], der(r[1]), der(r[3])
//  = hint: set `fixed = true` or write initial equations to say what you mean
//
// warning: nothing starts at the start values of r[1], r[2], r[3], der(r[1]), der(r[3]), which are not fixed; it starts at those of Q[1], Q[2], Q[3], w[2], w[3] instead: the nonlinear system is singular: Q[3] cannot be determined
