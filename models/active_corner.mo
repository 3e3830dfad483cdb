// A plate of n by n cells with a pulsed device in one corner; the rest of it warms slowly.
//
// Shows: a large thermal network of which one corner is active.
// Expected: the die swings by some ten degrees with every pulse, the corner by a few, the far end is warm by less than a thousandth of that. `--multirate`
// computes the corner; `--set n=40` has 1601 states.
model ActiveCorner
  parameter Integer n = 12 "cells in each direction";
  parameter Real C = 2 "of a cell, J/K";
  parameter Real k = 0.4 "between neighbours, W/K";
  parameter Real loss = 0.01 "to the outside, W/K";
  parameter Real period = 1 "of the pulses, s";
  Real P "power of the device, W";
  Real die(start = 0, fixed = true) "above the outside, K";
  Real T[n, n](each start = 0, each fixed = true) "above the outside, K";
equation
  P = 20*(1 + tanh(15*(sin(2*3.141592653589793*time/period) - 0.7)));
  0.05*der(die) = P - 2*(die - T[1, 1]);
  C*der(T[1, 1]) = 2*(die - T[1, 1]) + k*(T[1, 2] + T[2, 1] - 2*T[1, 1]) - loss*T[1, 1];
  C*der(T[1, n]) = k*(T[1, n - 1] + T[2, n] - 2*T[1, n]) - loss*T[1, n];
  C*der(T[n, 1]) = k*(T[n - 1, 1] + T[n, 2] - 2*T[n, 1]) - loss*T[n, 1];
  C*der(T[n, n]) = k*(T[n - 1, n] + T[n, n - 1] - 2*T[n, n]) - loss*T[n, n];
  for i in 2:n - 1 loop
    C*der(T[1, i]) = k*(T[1, i - 1] + T[1, i + 1] + T[2, i] - 3*T[1, i]) - loss*T[1, i];
    C*der(T[n, i]) = k*(T[n, i - 1] + T[n, i + 1] + T[n - 1, i] - 3*T[n, i]) - loss*T[n, i];
    C*der(T[i, 1]) = k*(T[i - 1, 1] + T[i + 1, 1] + T[i, 2] - 3*T[i, 1]) - loss*T[i, 1];
    C*der(T[i, n]) = k*(T[i - 1, n] + T[i + 1, n] + T[i, n - 1] - 3*T[i, n]) - loss*T[i, n];
    for j in 2:n - 1 loop
      C*der(T[i, j]) = k*(T[i - 1, j] + T[i + 1, j] + T[i, j - 1] + T[i, j + 1] - 4*T[i, j]) - loss*T[i, j];
    end for;
  end for;
  annotation(experiment(StopTime = 100, Interval = 0.25, Tolerance = 1e-4));
end ActiveCorner;
