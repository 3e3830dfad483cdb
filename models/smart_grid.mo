// An alternating supply feeds three equal loads with temperatures; beside it a speed controller locks a phase to time.
// Shows: a lag of 20 microseconds beside oscillations of 20 ms and temperatures of 10 s; two subsystems that do not touch.
// Expected: psi follows the source, the three currents are equal, w settles at about 1.
model SmartGrid "Three loads on an alternating supply, and a speed controller"
  parameter Real Vp = 325 "amplitude of the source", f = 50 "frequency";
  parameter Real bandwidth = 50000 "of the supply";
  parameter Real L = 0.01, R = 5.01 "inductance and resistance of a load";
  parameter Real C = 5e4 "heat capacity of a load";
  parameter Real cooling = 0.1, Te = 293.15 "rate of cooling and temperature of the surroundings";
  parameter Real Ty = 0.05, kp = 50, ki = 94.1, kw = 0.5, kphi = 152.4 "controller";
  constant Real pi = 3.141592653589793;
  Real psi(start = Vp, fixed = true) "voltage of the supply";
  Real I1(start = 0, fixed = true), I2(start = 0, fixed = true), I3(start = 0, fixed = true) "currents";
  Real y(start = 0, fixed = true) "actuator", w(start = 1, fixed = true) "speed", xp(start = 0, fixed = true) "integrator";
  Real ph(start = 0, fixed = true) "phase";
  Real T1(start = Te, fixed = true), T2(start = Te, fixed = true), T3(start = Te, fixed = true) "temperatures";
  Real vt "source", e "error of speed";
equation
  vt = Vp*cos(2*pi*f*time);
  e = 1 - w;
  der(psi) = bandwidth*(vt - psi);
  L*der(I1) = psi - R*I1;
  L*der(I2) = psi - R*I2;
  L*der(I3) = psi - R*I3;
  Ty*der(y) = kp*e + xp - y;
  der(w) = y - kphi*(ph - time) - kw*w;
  der(xp) = ki*e;
  der(ph) = w;
  der(T1) = -cooling*(T1 - Te) + R*I1^2/C;
  der(T2) = -cooling*(T2 - Te) + R*I2^2/C;
  der(T3) = -cooling*(T3 - Te) + R*I3^2/C;
  annotation(experiment(StopTime = 2, Tolerance = 1e-8));
end SmartGrid;
