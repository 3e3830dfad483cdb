// Robertson's chemical kinetics: rates that differ by nine orders of magnitude.
// Shows: a stiff nonlinear system over a long time, tiny values that need their own nominal size, `StopTime` of 1e5.
// Expected: y1 falls slowly from 1 to about 0.018, y2 stays below 4e-5, the sum of all stays 1.
model Robertson "Robertson's chemical reaction"
  parameter Real k1 = 0.04, k2 = 3e7, k3 = 1e4 "rates";
  Real y1(start = 1, fixed = true);
  Real y2(start = 0, fixed = true, nominal = 1e-5);
  Real y3(start = 0, fixed = true);
  Real total "conserved";
equation
  der(y1) = -k1*y1 + k3*y2*y3;
  der(y2) = k1*y1 - k3*y2*y3 - k2*y2^2;
  der(y3) = k2*y2^2;
  total = y1 + y2 + y3;
  annotation(experiment(StopTime = 1e5, Tolerance = 1e-8));
end Robertson;
