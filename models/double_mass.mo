// Two masses between walls: springs and dampers along the line, springs alone across it.
// Shows: one stiff oscillator coupled weakly to a slow one; the motion across stays at rest because nothing excites it.
// Expected: x1 rings at about 22 rad/s and dies out within two seconds; x2 answers slowly; y1 and y2 stay zero.
model DoubleMass "Two coupled masses with a stiff and a soft spring"
  parameter Real M1(unit = "kg") = 1, M2(unit = "kg") = 1 "masses";
  parameter Real k1(unit = "N/m") = 500 "left wall to first mass";
  parameter Real k2(unit = "N/m") = 1 "between the masses";
  parameter Real k3(unit = "N/m") = 5 "second mass to right wall";
  parameter Real d1(unit = "N.s/m") = 5, d2(unit = "N.s/m") = 1, d3(unit = "N.s/m") = 1 "dampers in the same places";
  Real x1(unit = "m", start = 0.5, fixed = true), v1(unit = "m/s", start = 0, fixed = true);
  Real x2(unit = "m", start = 0, fixed = true), v2(unit = "m/s", start = 0, fixed = true);
  Real y1(unit = "m", start = 0, fixed = true), w1(unit = "m/s", start = 0, fixed = true) "across, first mass";
  Real y2(unit = "m", start = 0, fixed = true), w2(unit = "m/s", start = 0, fixed = true) "across, second mass";
equation
  der(x1) = v1;
  der(x2) = v2;
  der(y1) = w1;
  der(y2) = w2;
  M1*der(v1) = -(d1 + d2)*v1 + d2*v2 - (k1 + k2)*x1 + k2*x2;
  M2*der(v2) = d2*v1 - (d2 + d3)*v2 + k2*x1 - (k2 + k3)*x2;
  M1*der(w1) = -(k1 + k2)/2*y1 + k2/2*y2;
  M2*der(w2) = k2/2*y1 - (k2 + k3)/2*y2;
  annotation(experiment(StopTime = 5, Tolerance = 1e-8));
end DoubleMass;
