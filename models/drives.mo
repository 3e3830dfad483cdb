// Drives whose time constants lie over three decades, each with a filter and a chain of cells of metal that its current heats.
// Shows: parts that do not act on each other. In a run of all states every drive takes the steps of the quickest; with --decouple each has its own.
// Expected: every current and speed follows a source that swings as fast as the drive does; the cells of the slowest drives stay cold.
model Drives "Many drives of different speed"
  parameter Integer n = 50 "drives";
  parameter Integer m = 20 "cells of each";
  Real i[n](each start = 0, each fixed = true) "currents";
  Real w[n](each start = 0, each fixed = true) "speeds";
  Real y[n](each start = 0, each fixed = true) "filtered speeds";
  Real T[n, m](each start = 300, each fixed = true) "temperatures";
  Real tau[n](each unit = "s") "time constants";
equation
  for k in 1:n loop
    tau[k] = 1e-3*10^(3*(k - 1)/(n - 1));
    tau[k]*der(i[k]) = 10 + 5*sin(time/(5*tau[k])) - i[k] - w[k];
    5*tau[k]*der(w[k]) = i[k] - 0.2*w[k];
    0.3*tau[k]*der(y[k]) = w[k] - y[k];
    20*tau[k]*der(T[k, 1]) = 0.1*i[k]^2 - 5*(T[k, 1] - T[k, 2]);
    for j in 2:m - 1 loop
      20*tau[k]*der(T[k, j]) = 5*(T[k, j - 1] - 2*T[k, j] + T[k, j + 1]);
    end for;
    20*tau[k]*der(T[k, m]) = 5*(T[k, m - 1] - T[k, m]) - 0.5*(T[k, m] - 300);
  end for;
  annotation(experiment(StopTime = 2, Tolerance = 1e-6));
end Drives;
