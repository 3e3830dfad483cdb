// The same flows with the enthalpies written out.
model Mixing
  function enthalpy
    input Real T;
    output Real h;
  algorithm
    h := 1800*(T - 273.15) + 1.5*(T - 273.15)^2;
  end enthalpy;
  Real h(start = enthalpy(300), fixed = true), T, m, h_in;
equation
  m = 0.5 + 0.4*sin(time);
  h_in = (enthalpy(293.15) + m*enthalpy(353.15))/(1 + m);
  2*der(h) = (1 + m)*(h_in - h);
  T = 273.15 + (sqrt(1800^2 + 6*h) - 1800)/3;
  annotation(experiment(StopTime = 10, Tolerance = 1e-8));
end Mixing;
