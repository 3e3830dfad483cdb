// A corridor of n rooms behind massive walls. Every tenth room has an electric heater with a smooth thermostat.
//
// Shows: local heating: rooms with a thermostat switch, each in its own time, the rooms between them follow slowly.
// Expected: heated rooms swing around 20 degC by half a degree, the others rest between 12 and 18 degC.
model Rooms
  parameter Integer n = 10 "heated rooms";
  parameter Integer m = 9 "rooms behind each of them";
  parameter Real T_out = 5 "outside, degC";
  Real heated[n](start = {19.5 + mod(3*i, 7)/7 for i in 1:n}, each fixed = true) "degC";
  Real relay[n](start = {if mod(i, 2) == 0 then 1 else -1 for i in 1:n}, each fixed = true) "off at -1, on at 1";
  Real room[n, m](each start = 15, each fixed = true) "degC";
  Real wall[n, m](each start = 14, each fixed = true) "degC";
equation
  for i in 1:n loop
    der(relay[i]) = 0.8*(20 - heated[i]) + relay[i] - relay[i]^3;
    (300 + 10*i)*der(heated[i]) = (1 + relay[i])*1.5 - 0.06*(heated[i] - T_out) - 0.1*(heated[i] - room[i, 1]);
    400*der(room[i, 1]) = 0.1*(heated[i] - room[i, 1]) + 0.1*(room[i, 2] - room[i, 1]) - 0.2*(room[i, 1] - wall[i, 1]);
    for j in 2:m - 1 loop
      400*der(room[i, j]) = 0.1*(room[i, j - 1] - 2*room[i, j] + room[i, j + 1]) - 0.2*(room[i, j] - wall[i, j]);
    end for;
    400*der(room[i, m]) = 0.1*(room[i, m - 1] - room[i, m]) - 0.2*(room[i, m] - wall[i, m])
      + (if i < n then 0.1*(heated[min(i + 1, n)] - room[i, m]) else 0);
    for j in 1:m loop
      8000*der(wall[i, j]) = 0.2*(room[i, j] - wall[i, j]) - 0.01*(wall[i, j] - T_out);
    end for;
  end for;
  annotation(experiment(StopTime = 7200, Interval = 20, Tolerance = 1e-4));
end Rooms;
