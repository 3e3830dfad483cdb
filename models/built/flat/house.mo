// The same house: two temperatures of air, two layers in each wall.
model House
  parameter Real C_layer = 1030*30*20*0.24/2, G = 0.04*20*2/0.24;
  Real T[2](each start = 293.15, each fixed = true);
  Real T_layer[2, 2](each start = 293.15, each fixed = true);
  Real Q_door, Q;
  Boolean on;
initial equation
  pre(on) = false;
equation
  on = -T[2] > -292.15 or pre(on) and -T[2] >= -294.15;
  Q = if on then 1500 else 0;
  Q_door = 20*(T[1] - T[2]);
  2e5*der(T[1]) = Q - Q_door - 5*(T[1] - 273.15) - 2*G*(T[1] - T_layer[1, 1]);
  1e5*der(T[2]) = Q_door - 2*G*(T[2] - T_layer[2, 1]);
  for k in 1:2 loop
    C_layer*der(T_layer[k, 1]) = 2*G*(T[k] - T_layer[k, 1]) - G*(T_layer[k, 1] - T_layer[k, 2]);
    C_layer*der(T_layer[k, 2]) = G*(T_layer[k, 1] - T_layer[k, 2]) - 2*G*(T_layer[k, 2] - 273.15);
  end for;
  annotation(experiment(StopTime = 40000, Tolerance = 1e-8));
end House;
