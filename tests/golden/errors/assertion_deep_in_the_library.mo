model HighPressure
  Real p = 2e8 + time;
  Real d = 'Modelica.Media.Water.IF97_Utilities.rho_ph'(p, 3e5, 0, 0);
end HighPressure;
//! expect
// error[R101]: the initial values cannot be determined at time 0
//   ┌─ assertion_deep_in_the_library.mo:3:12
//   │
// 3 │   Real d = 'Modelica.Media.Water.IF97_Utilities.rho_ph'(p, 3e5, 0, 0);
//   │            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ IF97 is not defined for p = 2e+08 Pa (in function Modelica.Media.Water.IF97_Utilities.BaseIF97.Regions.region_ph)
//
