// DC motor with constant load torque: an electrical time constant of 60 ms beside a mechanical one of about 1.6 s.
// Shows: a stiff third-order linear system in hand-written Modelica, parameters, experiment annotation.
// Expected: the current peaks near 9100 A after 0.2 s, the speed settles near 71 rad/s.
model DcMotor "Third-order DC motor"
  parameter Real L(unit = "H") = 3e-3 "armature inductance";
  parameter Real R(unit = "Ohm") = 50e-3 "armature resistance";
  parameter Real J(unit = "kg.m2") = 1500 "inertia";
  parameter Real b(unit = "N.m.s/rad") = 0.001 "viscous friction";
  parameter Real km(unit = "V.s/rad") = 6.785 "motor constant";
  parameter Real u(unit = "V") = 500 "supply voltage";
  parameter Real tau(unit = "N.m") = 2500 "load torque";
  Real I(unit = "A", start = 0, fixed = true) "armature current";
  Real w(unit = "rad/s", start = 0, fixed = true) "speed";
  Real phi(unit = "rad", start = 0, fixed = true) "angle";
equation
  L*der(I) = -R*I - km*w + u;
  J*der(w) = km*I - b*w - tau;
  der(phi) = w;
  annotation(experiment(StopTime = 8, Tolerance = 1e-8));
end DcMotor;
