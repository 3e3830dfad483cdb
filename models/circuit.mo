// A diode with exponential law in series with a resistor, feeding a capacitor and its leak.
// Shows: a nonlinear algebraic loop (diode and resistor) that is torn and solved by Newton's method at every step.
// Expected: the capacitor charges towards the source voltage less one diode drop and discharges through the leak.
model Circuit "Diode rectifier with an algebraic loop"
  parameter Real V0 = 10, f = 2 "source";
  parameter Real R = 10, Rl = 1000, C = 1e-3;
  parameter Real Is = 1e-9, Vt = 0.05 "diode law";
  Real vs "source voltage", vd "diode voltage", vr "resistor voltage", i "diode current";
  Real v(start = 0, fixed = true) "capacitor voltage";
equation
  vs = V0*sin(6.283185307179586*f*time);
  vs = vd + vr + v;
  i = Is*(exp(vd/Vt) - 1);
  vr = R*i;
  C*der(v) = i - v/Rl;
  annotation(experiment(StopTime = 2, Tolerance = 1e-7));
end Circuit;
