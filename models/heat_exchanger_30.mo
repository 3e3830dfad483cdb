// The counter-flow heat exchanger with 30 cells instead of 10: 90 states and 585 cycles of influence between them.
// Shows: how the number of cycles grows with the number of cells while the gap between the time scales of fluid and wall stays.
// Expected: the same temperatures as with 10 cells, a little sharper; `partita analyze --at 0` suggests a cut after the 30 states Ta.
model HeatExchanger30 "Counter-flow heat exchanger with 30 volumes per side"
  parameter Integer N = 30 "number of volumes";
  parameter Real wa = 1 "mass flow rate a", wb = 1 "mass flow rate b";
  parameter Real ca = 4200, cb = 3500, cw = 500 "specific heat capacities";
  parameter Real Ma = 0.1, Mb = 1, Mw = 10 "masses";
  parameter Real Ga = 8000, Gb = 8000 "heat transfer";
  parameter Real Tain = 323.15, Tbin = 288.15 "inlet temperatures";
  Real Ta[N](each start = 293.15, each fixed = true);
  Real Tw[N](each start = 293.15, each fixed = true);
  Real Tb[N](each start = 293.15, each fixed = true);
equation
  ca*Ma/N*der(Ta[1]) = wa*ca*(Tain - Ta[1]) + Ga/N*(Tw[1] - Ta[1]);
  cb*Mb/N*der(Tb[1]) = wb*cb*(Tbin - Tb[1]) + Gb/N*(Tw[N] - Tb[1]);
  for i in 2:N loop
    ca*Ma/N*der(Ta[i]) = wa*ca*(Ta[i - 1] - Ta[i]) + Ga/N*(Tw[i] - Ta[i]);
    cb*Mb/N*der(Tb[i]) = wb*cb*(Tb[i - 1] - Tb[i]) + Gb/N*(Tw[N - i + 1] - Tb[i]);
  end for;
  for i in 1:N loop
    cw*Mw/N*der(Tw[i]) = -Ga/N*(Tw[i] - Ta[i]) - Gb/N*(Tw[i] - Tb[N - i + 1]);
  end for;
  annotation(experiment(StopTime = 5, Tolerance = 1e-8));
end HeatExchanger30;
