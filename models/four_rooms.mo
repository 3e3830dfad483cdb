// Four rooms in a row with a heater each, of which three may be active; heaters are moved to the room that needs one.
// Shows: reduction of order of a switched affine system (`partita reduce --by order`), reset maps, scenarios of an input.
// Expected: 307 switchings in a day without noise; no order below eight follows them: what decides is not what balancing keeps.
model FourRooms "Four rooms with three active heaters"
  constant Real pi = 3.141592653589793;
  parameter Real phi(unit = "J/K") = 1.225*1005*48 "heat capacity of the air of a room";
  parameter Real s_r(unit = "m2") = 12, s_e(unit = "m2") = 24 "walls between rooms, and to the outside";
  parameter Real k[3](each unit = "W/(m2.K)") = {2, 5, 2} "between neighbours";
  parameter Real k_e[4](each unit = "W/(m2.K)") = {1 + 0.113086802673332, 1 - 0.113086802673332*0.5, 1 + 0.113086802673332*0.3, 1 - 0.113086802673332*0.8} "to the outside";
  parameter Real kappa(unit = "W") = 1500 "power of a heater";
  parameter Real tau(unit = "s") = 600 "time constant of a heater";
  parameter Real chi(unit = "1/K") = 1e-5 "what the outside does to heaters";
  parameter Real on(unit = "degC") = 20, off(unit = "degC") = 21 "thresholds of a room";
  parameter Real get(unit = "degC") = 19, dif(unit = "K") = 1 "a room colder than this, and than its neighbour, gets a heater";
  input Real noise(unit = "K", start = 0) "of the outside";
  discrete Real T_ext(unit = "degC", nominal = 10) "outside, as it is looked at";
  Integer p[4](start = {0, 1, 1, 1}, each fixed = true) "heaters that may be on";
  Integer h[4](start = {0, 1, 1, 1}, each fixed = true) "rooms that want heat";
  Real T[4](each unit = "degC", each start = 20, each fixed = true) "temperatures";
  Real theta[4](each start = 0, each fixed = true) "how warm the heaters are";
protected
  Integer from, to;
  Real largest;
initial equation
  pre(T_ext) = 4 + noise;
  pre(from) = 0;
  pre(to) = 0;
  pre(largest) = 0;
equation
  phi*der(T[1]) = s_r*k[1]*(T[2] - T[1]) + s_e*k_e[1]*(T_ext - T[1]) + kappa*theta[1];
  for i in 2:3 loop
    phi*der(T[i]) = s_r*k[i - 1]*(T[i - 1] - T[i]) + s_r*k[i]*(T[i + 1] - T[i]) + s_e*k_e[i]*(T_ext - T[i]) + kappa*theta[i];
  end for;
  phi*der(T[4]) = s_r*k[3]*(T[3] - T[4]) + s_e*k_e[4]*(T_ext - T[4]) + kappa*theta[4];
  for i in 1:4 loop
    tau*der(theta[i]) = -theta[i] + h[i]*p[i] - chi*T_ext;
  end for;
algorithm
  when sample(0, 60) then
    T_ext := 4 + 4*sin(2*pi*time/86400) + noise;
    to := 0;
    from := 0;
    largest := dif;
    for i in 1:4 loop
      if p[i] == 0 and T[i] <= get then
        to := i;
      end if;
    end for;
    for j in 1:4 loop
      if to > 0 and abs(j - to) == 1 then
        if p[j] == 1 and T[j] - T[to] >= largest then
          from := j;
          largest := T[j] - T[to];
        end if;
      end if;
    end for;
    if from > 0 then
      p[from] := 0;
      p[to] := 1;
    end if;
    for i in 1:4 loop
      h[i] := if T[i] <= on then 1 elseif T[i] >= off then 0 else h[i];
    end for;
  end when;
  annotation(experiment(StopTime = 86400, Interval = 60, Tolerance = 1e-9));
end FourRooms;
