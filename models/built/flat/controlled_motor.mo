// The same motor without components.
model ControlledMotor
  Real i(start = 0, fixed = true), integral(start = 0, fixed = true);
  Real phi(start = 0, fixed = true), w(start = 0, fixed = true);
  Real phi_load(start = 0, fixed = true), w_load(start = 0, fixed = true);
  Real e, u, wish, torque;
equation
  e = (if time < 0.1 then 0 else 20) - w_load;
  der(integral) = 10*e;
  wish = 2*e + integral;
  u = smooth(0, if wish > 48 then 48 elseif wish < -48 then -48 else wish);
  0.01*der(i) = u - 0.5*i - 0.8*w;
  der(phi) = w;
  der(phi_load) = w_load;
  torque = 400*(phi_load - phi) + (w_load - w);
  0.02*der(w) = 0.8*i + torque;
  0.1*der(w_load) = -torque - 2e-3*w_load*abs(w_load);
  annotation(experiment(StopTime = 2, Tolerance = 1e-8));
end ControlledMotor;
