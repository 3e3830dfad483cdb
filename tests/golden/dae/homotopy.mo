// Equations have the actual argument; the path from the simplified one is kept for finding the start.
model Homotopy
  Real z(start = 0.5), dp = 1;
equation
  homotopy(actual = z*abs(z), simplified = z) = dp;
end Homotopy;
