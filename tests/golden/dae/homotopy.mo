// Equations have the actual argument; the path from the simplified one is kept for finding the start.
model Homotopy
  Real z(start = 0.5), dp = 1;
equation
  homotopy(actual = z*abs(z), simplified = z) = dp;
end Homotopy;
//! expect
// system Homotopy
//   v0: Real time time
//   v1: Real continuous z, start 0.5
//   v2: Real continuous dp
//   v3: Real external $homotopy1
// equations
//   e0: dp = 1
//   e1: z*abs(z) = dp
// at the start by $homotopy1 if $homotopy1 <= 0 then z else z*abs(z)*$homotopy1 + z*(1 - $homotopy1) = dp
