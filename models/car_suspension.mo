// Car body, suspension, wheel and tyre, one above the other, over a smooth kerb of 20 cm between time 1 and 1.5.
// Shows: cubic springs, a start at rest that is computed from the weights, time events, activities of the components (integrals of
//        the magnitude of their power), which say what matters to the behaviour and what could be left out.
// Expected: at time 5 the activity of the body's weight is 2269 J, that of the tyre's damping 0.53 J; the body swings about 0.2 m.
model CarSuspension "Quarter of a car over a smooth kerb, with activities"
  parameter Real mt(unit = "kg") = 36.6, ms(unit = "kg") = 267 "masses of wheel and body";
  parameter Real Bt(unit = "N.s/m") = 200, Bs(unit = "N.s/m") = 700 "damping of tyre and suspension";
  parameter Real kt1(unit = "N/m") = 193.915, kt3(unit = "N/m3") = 2e8 "stiffness of the tyre";
  parameter Real ks1(unit = "N/m") = 18.742, ks3(unit = "N/m3") = 2e5 "stiffness of the suspension";
  parameter Real g(unit = "m/s2") = 9.81 "gravity";
  constant Real pi = 3.141592653589793;
  Real xr(unit = "m"), vr(unit = "m/s") "height of the road and its rate";
  Real xt(unit = "m", start = -0.03), vt(unit = "m/s") "height and speed of the wheel";
  Real xs(unit = "m", start = -0.3), vs(unit = "m/s") "height and speed of the body";
  Real Fst(unit = "N"), Fss(unit = "N") "forces of the springs of tyre and suspension, upwards";
  Real Fdt(unit = "N"), Fds(unit = "N") "forces of the dampers";
  Real a_spring_s(unit = "J", start = 0, fixed = true), a_damper_s(unit = "J", start = 0, fixed = true);
  Real a_mass_s(unit = "J", start = 0, fixed = true), a_gravity_s(unit = "J", start = 0, fixed = true);
  Real a_spring_t(unit = "J", start = 0, fixed = true), a_damper_t(unit = "J", start = 0, fixed = true);
  Real a_mass_t(unit = "J", start = 0, fixed = true), a_gravity_t(unit = "J", start = 0, fixed = true);
  Real a_ground(unit = "J", start = 0, fixed = true) "activities";
initial equation
  vt = 0;
  vs = 0;
  der(vt) = 0;
  der(vs) = 0;
equation
  xr = if time < 1 then 0 elseif time < 1.5 then 0.4*(time - 1) - sin(4*pi*(time - 1))/(10*pi) else 0.2;
  vr = if time < 1 then 0 elseif time < 1.5 then 0.4 - 0.4*cos(4*pi*(time - 1)) else 0;
  Fst = kt1*(xr - xt) + kt3*(xr - xt)^3;
  Fss = ks1*(xt - xs) + ks3*(xt - xs)^3;
  Fdt = Bt*(vr - vt);
  Fds = Bs*(vt - vs);
  der(xt) = vt;
  der(xs) = vs;
  mt*der(vt) = Fst + Fdt - Fss - Fds - mt*g;
  ms*der(vs) = Fss + Fds - ms*g;
  der(a_spring_s) = abs(Fss*(vt - vs));
  der(a_damper_s) = abs(Fds*(vt - vs));
  der(a_mass_s) = abs(ms*der(vs)*vs);
  der(a_gravity_s) = abs(ms*g*vs);
  der(a_spring_t) = abs(Fst*(vr - vt));
  der(a_damper_t) = abs(Fdt*(vr - vt));
  der(a_mass_t) = abs(mt*der(vt)*vt);
  der(a_gravity_t) = abs(mt*g*vt);
  der(a_ground) = abs((Fst + Fdt)*vr);
  annotation(experiment(StopTime = 5, Tolerance = 1e-8));
end CarSuspension;
