// A planar four-bar linkage: crank, coupler and rocker of uniform rods between two fixed pivots, in the vertical plane, without friction.
// Shows: a closed kinematic loop; two position constraints are differentiated twice, of three angles one remains as a state, and
//        positions, speeds and forces follow from systems of equations.
// Expected: the crank turns, faster on its way down; the energy stays the same to a millionth, the loop closed to 1e-9 m.
model FourBar "Four-bar linkage with a crank that turns"
  parameter Real L0(unit = "m") = 4 "distance of the pivots";
  parameter Real L1(unit = "m") = 1, L2(unit = "m") = 3.5, L3(unit = "m") = 2.5 "lengths of crank, coupler and rocker";
  parameter Real m1(unit = "kg") = 2, m2(unit = "kg") = 1, m3(unit = "kg") = 1.5 "masses of crank, coupler and rocker";
  parameter Real g(unit = "m/s2") = 9.81 "gravity";
  Real q1(unit = "rad", start = 0.5, fixed = true, stateSelect = StateSelect.prefer) "angle of the crank";
  Real w1(unit = "rad/s", start = 9, fixed = true, stateSelect = StateSelect.prefer) "speed of the crank";
  Real q2(unit = "rad", start = 0.6), q3(unit = "rad", start = 1.7) "angles of coupler and rocker";
  Real w2(unit = "rad/s"), w3(unit = "rad/s") "speeds of coupler and rocker";
  Real Fx(unit = "N"), Fy(unit = "N") "force in the joint of coupler and rocker";
  Real c(unit = "kg.m2") "inertia that couples crank and coupler, for parallel rods";
  Real energy(unit = "J"), gap(unit = "m") "energy; how far the loop is open";
equation
  der(q1) = w1;
  der(q2) = w2;
  der(q3) = w3;
  L1*cos(q1) + L2*cos(q2) = L0 + L3*cos(q3);
  L1*sin(q1) + L2*sin(q2) = L3*sin(q3);
  c = m2*L1*L2/2;
  (m1/3 + m2)*L1^2*der(w1) + c*cos(q1 - q2)*der(w2) + c*sin(q1 - q2)*w2^2 + (m1/2 + m2)*L1*g*cos(q1) = L1*(Fy*cos(q1) - Fx*sin(q1));
  m2*L2^2/3*der(w2) + c*cos(q1 - q2)*der(w1) - c*sin(q1 - q2)*w1^2 + m2*L2/2*g*cos(q2) = L2*(Fy*cos(q2) - Fx*sin(q2));
  m3*L3^2/3*der(w3) + m3*L3/2*g*cos(q3) = -L3*(Fy*cos(q3) - Fx*sin(q3));
  energy = (m1/3 + m2)*L1^2*w1^2/2 + m2*L2^2*w2^2/6 + c*cos(q1 - q2)*w1*w2 + m3*L3^2*w3^2/6
    + g*((m1/2 + m2)*L1*sin(q1) + m2*L2/2*sin(q2) + m3*L3/2*sin(q3));
  gap = sqrt((L1*cos(q1) + L2*cos(q2) - L0 - L3*cos(q3))^2 + (L1*sin(q1) + L2*sin(q2) - L3*sin(q3))^2);
  annotation(experiment(StopTime = 10, Tolerance = 1e-9));
end FourBar;
