// A rod that turns: the elements `c` and `s` of its rotation are no potential states, because the model does not differentiate
// them. The angle is one under the name `u`, although `phi` must never be.
model DifferentiatedFirst
  Real u;
  Real phi(stateSelect = StateSelect.never, start = 0.3, fixed = true);
  Real w(stateSelect = StateSelect.avoid, start = 0, fixed = true);
  Real c, s;
  Real rx(stateSelect = StateSelect.avoid), ry(stateSelect = StateSelect.avoid);
  Real vx(stateSelect = StateSelect.avoid), vy(stateSelect = StateSelect.avoid);
  Real f;
equation
  u = phi;
  w = der(u);
  c = cos(u);
  s = sin(u);
  rx = 0.5*s;
  ry = -0.5*c;
  vx = der(rx);
  vy = der(ry);
  der(vx) = -f*rx;
  der(vy) = -f*ry - 9.81;
end DifferentiatedFirst;
//! expect
// states
//   u, derivative der(u)
//   der(u), derivative der(der(u))
// dummy derivatives
//   der(rx)
//   der(ry)
//   der(vx)
//   der(vy)
//   der(s)
//   der(c)
//   der(der(ry))
//   der(der(c))
//   der(der(s))
//   der(der(rx))
