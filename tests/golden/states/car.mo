// A car with an engine and wheels that are rigidly coupled by a gear: two inertias with one angle and one speed between them. The
// coupling is differentiated twice; the wheel's angle and speed are states because the gear makes the engine's follow.
model Car
  parameter Real J = 0.2 "engine", m = 1000 "car", r = 0.3 "wheel radius", ratio = 4 "gear ratio", c = 0.5 "drag";
  Real phi "engine", w(start = 0), s(stateSelect = StateSelect.prefer), v(stateSelect = StateSelect.prefer), tau, f;
equation
  der(phi) = w;
  J*der(w) = 100 - tau;
  der(s) = v;
  m*der(v) = f - c*v^2;
  f = ratio*tau/r;
  phi = ratio*s/r;
end Car;
//! expect
// states
//   s, derivative der(s)
//   v, derivative der(v)
// dummy derivatives
//   der(phi)
//   der(w)
//   der(der(phi))
//   der(der(s))
