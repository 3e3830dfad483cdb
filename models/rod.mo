// A rod of a hundred cells, heated at one end and lost to a changing surrounding, with a thermostat that looks every ten seconds.
// Shows: reduction of order (`partita reduce --by order`) where it pays: seven of a hundred states are enough.
// Expected: 58 switchings in a day, the sensor between 19.44 and 21.96 degrees; order 7 switches at the same times, 1.3 mK off.
model Rod "Heated rod with a thermostat"
  parameter Integer n = 100 "cells";
  parameter Integer sensor = 21 "the cell of the sensor";
  parameter Real k(unit = "W/K") = 50 "conductance between cells";
  parameter Real c(unit = "J/K") = 350 "capacity of a cell";
  parameter Real loss(unit = "W/K") = 0.02 "from every cell to the surrounding";
  parameter Real film(unit = "W/K") = 1 "from the last cell to the surrounding";
  parameter Real power(unit = "W") = 60 "of the heater in the first cell";
  parameter Real on(unit = "degC") = 20, off(unit = "degC") = 21 "thresholds of the thermostat";
  constant Real pi = 3.141592653589793;
  discrete Real u(unit = "degC", nominal = 10, start = 4, fixed = true) "the surrounding, as it is looked at";
  Boolean heats(start = false, fixed = true) "the heater is on";
  Real T[n](each unit = "degC", each start = 20, each fixed = true) "temperatures of the cells";
  Real y(unit = "degC") "what the sensor shows";
equation
  c*der(T[1]) = k*(T[2] - T[1]) - loss*(T[1] - u) + (if heats then power else 0);
  for i in 2:n - 1 loop
    c*der(T[i]) = k*(T[i - 1] - 2*T[i] + T[i + 1]) - loss*(T[i] - u);
  end for;
  c*der(T[n]) = k*(T[n - 1] - T[n]) - (loss + film)*(T[n] - u);
  y = T[sensor];
  when sample(0, 10) then
    u = 4 + 4*sin(2*pi*time/86400);
    heats = y <= on or pre(heats) and y < off;
  end when;
  annotation(experiment(StopTime = 86400, Interval = 10, Tolerance = 1e-9));
end Rod;
