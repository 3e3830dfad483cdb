// A wheel driven through an elastic shaft pulls a mass with a smaller mass on it; a brake grips the mass twice.
// Shows: `and`/`or` of relations of time, a derivative on the right-hand side, dry friction smoothed by `tanh` (very stiff
// while the brake holds), three time scales.
// Expected: the mass starts slowly while the brake grips, then follows the torque of period 5; from 6 to 8 it is slowed down again.
model Brake "Wheel, elastic shaft and two masses with a brake"
  parameter Real M(unit = "kg") = 10, m(unit = "kg") = 0.4 "large and small mass";
  parameter Real k(unit = "N/m") = 1e4, d(unit = "N.s/m") = 2 "spring and damper between the masses";
  parameter Real kc(unit = "N/m") = 1000, dc(unit = "N.s/m") = 20 "contact between wheel and large mass";
  parameter Real r(unit = "m") = 0.2, Jw(unit = "kg.m2") = 2 "wheel";
  parameter Real Tm(unit = "s") = 0.05 "lag of the motor";
  parameter Real Kel(unit = "N.m/rad") = 100, Del(unit = "N.m.s/rad") = 10 "elastic shaft";
  parameter Real Fb(unit = "N") = 10, vs(unit = "m/s") = 1e-4 "force of the brake and the speed over which it changes sign";
  constant Real pi = 3.141592653589793;
  Real xM(start = 0, fixed = true), vM(start = 0, fixed = true) "large mass";
  Real xm(start = 0, fixed = true), vm(start = 0, fixed = true) "small mass";
  Real phi(start = 0, fixed = true), w(start = 0, fixed = true) "wheel";
  Real dphi(start = 0, fixed = true) "twist of the shaft";
  Real tau(start = 0, fixed = true) "torque of the motor";
  Real Fs "force between the masses", Fc "force of contact", ub "brake signal";
equation
  ub = if time < 1 or (time >= 6 and time < 8) then 1 else 0;
  Fs = k*(xM - xm) + d*(vM - vm);
  Fc = kc*(r*phi - xM) + dc*(r*w - vM);
  der(xM) = vM;
  M*der(vM) = -Fs + Fc - ub*Fb*tanh(vM/vs);
  der(xm) = vm;
  m*der(vm) = Fs;
  Del*der(dphi) = tau - Kel*dphi;
  der(phi) = w;
  Jw*der(w) = Kel*dphi + Del*der(dphi) - r*Fc;
  Tm*der(tau) = 10*sin(2*pi*time/5) - tau;
  annotation(experiment(StopTime = 10, Tolerance = 1e-8));
end Brake;
