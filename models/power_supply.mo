// A bridge rectifier with a smoothing filter feeds two inductive loads; the heat of all parts warms them up.
// Shows: about 400 state events of a diode (`if vd > 0`), electrical time constants of 50 microseconds beside thermal ones of seconds.
// Expected: V2 rises to about 21 V with a ripple of 100 Hz, the loads draw about 0.5 A each, temperatures creep up.
model PowerSupply "Rectifier, filter, two loads and their temperatures"
  parameter Real C1(unit = "F") = 1e-3, C2(unit = "F") = 1e-3, R(unit = "Ohm") = 0.05 "filter";
  parameter Real L1(unit = "H") = 1e-3, R1(unit = "Ohm") = 45.8015 "first load";
  parameter Real L2(unit = "H") = 2e-3, R2(unit = "Ohm") = 41.98 "second load";
  parameter Real Vp(unit = "V") = 24, f(unit = "Hz") = 50 "source";
  parameter Real Gon(unit = "S") = 5 "conductance of the open bridge";
  parameter Real Te(unit = "K") = 293.15 "surroundings";
  constant Real pi = 3.141592653589793;
  Real I1(start = 0, fixed = true), I2(start = 0, fixed = true) "currents of the loads";
  Real V1(start = 0, fixed = true), V2(start = 0, fixed = true) "voltages of the filter";
  Real Tl1(start = 293.15, fixed = true), Tl2(start = 293.15, fixed = true) "temperatures of the loads";
  Real Tc(start = 293.15, fixed = true) "temperature of the case";
  Real Ts(start = 293.15, fixed = true) "temperature of the heat sink";
  Real TR1(start = 293.15, fixed = true), TR2(start = 293.15, fixed = true) "temperatures of filter and bridge";
  Real vs "rectified source voltage", vd "voltage over the bridge", Id "current of the bridge", Ir "current of the filter";
  Real PD "heat of the bridge";
equation
  vs = abs(Vp*sin(2*pi*f*time));
  vd = vs - V1 - 1.4;
  Id = if vd > 0 then Gon*vd else 0;
  Ir = (V1 - V2)/R;
  PD = 1.4*Id + Id^2/Gon;
  L1*der(I1) = V2 - R1*I1;
  L2*der(I2) = V2 - R2*I2;
  C1*der(V1) = Id - Ir;
  C2*der(V2) = Ir - I1 - I2;
  der(Tl1) = 0.3*(Tc - Tl1) + R1*I1^2/100;
  der(Tl2) = 0.3*(Tc - Tl2) + R2*I2^2/100;
  der(Tc) = 0.1*(Tl1 - Tc) + 0.1*(Tl2 - Tc) + 0.05*(Ts - Tc) + 0.15*(Te - Tc);
  der(Ts) = 0.2*(TR1 - Ts) + 0.2*(TR2 - Ts) + 0.05*(Tc - Ts) + 0.2*(Te - Ts) + PD/100;
  der(TR1) = (Ts - TR1) + R*Ir^2/20;
  der(TR2) = (Ts - TR2) + 0.5*PD/20;
  annotation(experiment(StopTime = 2, Tolerance = 1e-8));
end PowerSupply;
