// A street of n houses with electric heaters on one weak line. Thermostats are smooth relays (bistable, within a second), each with its own
// times, so that now one house switches and now another one.
//
// Shows: many subsystems that are active at different times, coupled by one state that all of them read and move a little.
// Expected: temperatures swing around 20 degC by half a degree, the line around 0.95 of its voltage. `--multirate` computes the houses that
// switch; `--set n=400` has 1601 states, of which each at its own step would take a small part of the work.
model Street
  parameter Integer n = 60 "houses";
  parameter Real T_out = 0 "outside, degC";
  parameter Real T_set = 20 "wanted, degC";
  parameter Real droop = 0.1 "drop of the line with all heaters on";
  parameter Real tau_line = 2 "of the line, s";
  parameter Real tau_relay = 1 "of the thermostats, s";
  parameter Real P[n] = {3.0 + 1.5*mod(7*i, 11)/11 for i in 1:n} "heaters, kW";
  parameter Real C[n] = {600 + 300*mod(5*i, 13)/13 for i in 1:n} "air and furniture, kJ/K";
  Real line(start = 0.95, fixed = true) "voltage, relative";
  Real air[n](start = {19.6 + 0.8*mod(37*i, 101)/101 for i in 1:n}, each fixed = true) "degC";
  Real wall[n](each start = 17, each fixed = true) "degC";
  Real heater[n](each start = 25, each fixed = true) "degC";
  Real relay[n](start = {if mod(i, 3) == 0 then 1 else -1 for i in 1:n}, each fixed = true) "off at -1, on at 1";
equation
  tau_line*der(line) = 1 - droop*sum(0.5*(1 + relay[i]) for i in 1:n)/n - line;
  for i in 1:n loop
    tau_relay*der(relay[i]) = 0.8*(T_set - air[i]) + relay[i] - relay[i]^3;
    20*der(heater[i]) = 0.5*(1 + relay[i])*P[i]*line^2 - 0.2*(heater[i] - air[i]);
    C[i]*der(air[i]) = 0.2*(heater[i] - air[i]) - 0.3*(air[i] - wall[i]) - 0.02*(air[i] - T_out);
    9000*der(wall[i]) = 0.3*(air[i] - wall[i]) - 0.06*(wall[i] - T_out);
  end for;
  annotation(experiment(StopTime = 7200, Interval = 20, Tolerance = 1e-4));
end Street;
