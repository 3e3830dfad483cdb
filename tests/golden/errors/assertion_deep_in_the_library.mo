model HighPressure
  Real p = 2e8 + time;
  Real d = 'Modelica.Media.Water.IF97_Utilities.rho_ph'(p, 3e5, 0, 0);
end HighPressure;
//! expect
// note[F034]: 36 functions that the file needs and does not define are taken from texts of Partita for the Modelica Standard Library
//   ┌─ assertion_deep_in_the_library.mo:3:12
//   │
// 3 │   Real d = 'Modelica.Media.Water.IF97_Utilities.rho_ph'(p, 3e5, 0, 0);
//   │            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the file does not define this function
//   │
//   = the evidence: their full names
//   = supplied: `Modelica.Media.Water.IF97_Utilities.rho_ph`, `Modelica.Media.Water.IF97_Utilities.rho_props_ph`, `Modelica.Media.Water.IF97_Utilities.waterBaseProp_ph`, `Modelica.Media.Water.IF97_Utilities.rho_ph_der`, `Modelica.Media.Water.IF97_Utilities.BaseIF97.Regions.region_ph`, `Modelica.Media.Water.IF97_Utilities.ofGibbs`, `Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.g1`, `Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tph1`, `Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.g2`, `Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tph2`, `Modelica.Media.Water.IF97_Utilities.BaseIF97.Inverses.dtofph3`, `Modelica.Media.Water.IF97_Utilities.ofHelmholtz`, `Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.f3`, `Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tsat`, `Modelica.Media.Water.IF97_Utilities.boundary`, `Modelica.Media.Water.IF97_Utilities.ofPhases`, `Modelica.Media.Water.IF97_Utilities.BaseIF97.Inverses.tofph5`, `Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.g5`, `Modelica.Media.Water.IF97_Utilities.hl_p`, `Modelica.Media.Water.IF97_Utilities.hv_p`, `Modelica.Media.Water.IF97_Utilities.BaseIF97.Regions.boundary23ofp`, `Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tph2a`, `Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tph2b`, `Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tph2c`, `Modelica.Media.Water.IF97_Utilities.BaseIF97.Inverses.dofpt3`, `Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tsat_der`, `Modelica.Media.Common.gibbsToBoundaryProps`, `Modelica.Media.Common.helmholtzToBoundaryProps`, `Modelica.Media.Water.IF97_Utilities.BaseIF97.Inverses.saturated3`, `Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.dptofT`, `Modelica.Media.Common.cv2Phase`, `Modelica.Media.Water.IF97_Utilities.BaseIF97.Regions.hl_p_R4b`, `Modelica.Media.Water.IF97_Utilities.BaseIF97.Regions.hv_p_R4b`, `Modelica.Media.Water.IF97_Utilities.BaseIF97.Inverses.density3`, `Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.psat`, `Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.dtsatofp`
//
// error[R101]: the initial values cannot be determined at time 0
//   ┌─ assertion_deep_in_the_library.mo:3:12
//   │
// 3 │   Real d = 'Modelica.Media.Water.IF97_Utilities.rho_ph'(p, 3e5, 0, 0);
//   │            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ IF97 is not defined for p = 2e+08 Pa (in function Modelica.Media.Water.IF97_Utilities.BaseIF97.Regions.region_ph)
//
