// The same drive as torques on three inertias.
model All
  Real phi[3](each start = 0, each fixed = true), w[3](each start = 0, each fixed = true), tau[2], M;
equation
  M = if time < 0.1 then 0 elseif time < 0.3 then 25*(time - 0.1) elseif time < 0.8 then 5 elseif time < 1 then 25*(1 - time)
    elseif time < 2.1 then 0 elseif time < 2.3 then 25*(time - 2.1) elseif time < 2.8 then 5 elseif time < 3 then 25*(3 - time) else 0;
  der(phi) = w;
  tau[1] = 1e4*(phi[1] - 3*phi[2]) + 10*(w[1] - 3*w[2]);
  tau[2] = 1e4*(phi[2] - 2*phi[3]) + 10*(w[2] - 2*w[3]);
  0.1*der(w[1]) = M - tau[1];
  0.2*der(w[2]) = 3*tau[1] - tau[2];
  0.3*der(w[3]) = 2*tau[2] - 0.2*w[3];
  annotation(experiment(StopTime = 3, Tolerance = 1e-8));
end All;
