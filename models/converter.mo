// A converter that switches at 20 kHz, the motor that it drives, and a network of metal that its losses heat.
// Shows: what decoupling has to do where much is driven by what is fast and does not act back: the electrical states have the events and take
// tens of thousands of steps; the temperatures read the mean of the losses, which is integrated and not sampled, and take some hundred.
// Expected: the current of the coil swings by some amperes with every pulse and with 50 Hz; the first cell warms up by a part of a kelvin, the last
// ones stay cold.
model Converter "Pulse-width modulation, motor and heated metal"
  parameter Integer n = 300 "cells of metal";
  parameter Real f(unit = "Hz") = 20000 "frequency of the pulses";
  constant Real pi = 3.141592653589793;
  Real i(start = 0, fixed = true) "current of the coil";
  Real v(start = 0, fixed = true) "voltage of the capacitor";
  Real ia(start = 0, fixed = true) "current of the motor";
  Real w(start = 0, fixed = true) "speed of the motor";
  Real T[n](each start = 300, each fixed = true) "temperatures";
  Real u "voltage of the switch", loss "what the coil loses";
equation
  u = if sin(2*pi*f*time) > 0.3*sin(2*pi*50*time) then 48 else 0;
  1e-4*der(i) = u - v - 0.05*i;
  1e-4*der(v) = i - ia;
  5e-4*der(ia) = v - 0.2*ia - 0.05*w;
  1e-3*der(w) = 0.05*ia - 1e-4*w;
  loss = 0.05*i^2;
  der(T[1]) = loss/2 - 20*(T[1] - T[2]);
  for k in 2:n - 1 loop
    der(T[k]) = 20*(T[k - 1] - 2*T[k] + T[k + 1]) - 0.01*(T[k] - 300);
  end for;
  der(T[n]) = 20*(T[n - 1] - T[n]) - 0.1*(T[n] - 300);
  annotation(experiment(StopTime = 0.2, Tolerance = 1e-6));
end Converter;
