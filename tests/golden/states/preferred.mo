// Energy and mass of a vessel are balanced; temperature and level are preferred as states although their derivatives stand
// nowhere. The speed difference of two masses is preferred too, which needs a choice beyond single blocks. The angle is not
// taken: it would have to be computed from a sine.
model Preferred
  Real U, m;
  Real T(stateSelect = StateSelect.prefer, start = 300, fixed = true);
  Real level(stateSelect = StateSelect.prefer, start = 1, fixed = true);
  Real s1(start = 0, fixed = true), v1(start = 0, fixed = true), s2, v2;
  Real s_rel(stateSelect = StateSelect.prefer, start = 0, fixed = true), v_rel(stateSelect = StateSelect.prefer, start = 0, fixed = true);
  Real phi(start = 0.5, fixed = true), i(stateSelect = StateSelect.prefer);
equation
  m = 1000*level;
  U = m*4200*T;
  der(m) = -0.1*m;
  der(U) = 5 - 0.1*U;
  der(s1) = v1;
  der(s2) = v2;
  der(v1) = 10*s_rel + v_rel;
  der(v2) = sin(time) - 10*s_rel - v_rel;
  s_rel = s2 - s1;
  v_rel = der(s_rel);
  der(phi) = 1;
  i = sin(phi);
end Preferred;
//! expect
// states
//   T, derivative der(T)
//   level, derivative der(level)
//   s1, derivative der(s1)
//   v1, derivative der(v1)
//   s_rel, derivative der(s_rel)
//   v_rel, derivative der(v_rel)
//   phi, derivative der(phi)
// dummy derivatives
//   der(m)
//   der(U)
//   der(s2)
//   der(v2)
//   der(der(s_rel))
//   der(der(s1))
//   der(der(s2))
