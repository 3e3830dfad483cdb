// Two rigidly coupled inertias: one angle and one speed remain, those with stateSelect = prefer.
model Rigid
  Real phi1, phi2(stateSelect = StateSelect.prefer), w1, w2(stateSelect = StateSelect.prefer), tau;
equation
  der(phi1) = w1;
  der(phi2) = w2;
  2*der(w1) = 1 - tau;
  3*der(w2) = 2*tau;
  phi1 = 2*phi2;
end Rigid;
//! expect
// states
//   phi2, derivative der(phi2)
//   w2, derivative der(w2)
// dummy derivatives
//   der(phi1)
//   der(w1)
//   der(der(phi1))
//   der(der(phi2))
