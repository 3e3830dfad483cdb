// A plate of n by n cells that conducts heat and radiates it; electric heaters along its diagonal follow a set point.
// Shows: what decoupling has to do in the best case: a few currents with a time constant of 2 milliseconds beside many temperatures that change within
// seconds. The Jacobian of all states is that of a grid, whose factors fill up; that of the fast states is diagonal.
// Expected: the diagonal follows a set point that swings by 20 K with a period of 20 s, the corners follow late and little.
model Plate "Conducting, radiating plate with electric heaters"
  parameter Integer n = 24 "cells along an edge";
  parameter Real a(unit = "1/s") = 0.4 "conduction between neighbours";
  parameter Real e(unit = "1/(K3.s)") = 4e-11 "radiation";
  parameter Real L(unit = "H") = 0.02, R(unit = "Ohm") = 10 "heaters";
  parameter Real g(unit = "V/K") = 4 "gain of the controllers";
  parameter Real p(unit = "K/(s.A2)") = 0.05 "heating";
  constant Real pi = 3.141592653589793;
  Real T[n, n](each start = 300, each fixed = true) "temperatures";
  Real I[n](each start = 0, each fixed = true) "currents of the heaters";
  Real set "set point";
equation
  set = 330 + 20*sin(2*pi*time/20);
  for i in 1:n loop
    L*der(I[i]) = g*(set - T[i, i]) - R*I[i];
    for j in 1:n loop
      der(T[i, j]) = a*((if i > 1 then T[max(i - 1, 1), j] else T[i, j]) + (if i < n then T[min(i + 1, n), j] else T[i, j])
        + (if j > 1 then T[i, max(j - 1, 1)] else T[i, j]) + (if j < n then T[i, min(j + 1, n)] else T[i, j]) - 4*T[i, j])
        - e*(T[i, j]^4 - 300^4) + (if i == j then p*I[i]*abs(I[i]) else 0);
    end for;
  end for;
  annotation(experiment(StopTime = 40, Tolerance = 1e-6));
end Plate;
