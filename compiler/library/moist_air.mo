//! base 0.1.0
// Moist air as a mixture of the reference equations of dry air, steam and ice, by the interfaces of Modelica.Media.Air.ReferenceMoistAir:
// steam by region 2 of IAPWS-IF97 also below its limits, ice by the release IAPWS R10-06(2009), sublimation by IAPWS R14-08(2011),
// dissociation at high temperatures by VDI 4670.
package 'Library'
  record 'Modelica.Media.Common.AuxiliaryProperties'
    Real 'p';
    Real 'T';
    Real 'h';
    Real 'R_s';
    Real 'cp';
    Real 'cv';
    Real 'rho';
    Real 's';
    Real 'pt';
    Real 'pd';
    Real 'vt';
    Real 'vp';
  end 'Modelica.Media.Common.AuxiliaryProperties';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_dT' "Properties of dry air at a density and a temperature"
    input Real 'd';
    input Real 'T';
    output 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    'Modelica.Media.Common.HelmholtzDerivs' 'f';
  algorithm
    'f' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.Basic.Helmholtz'('d', 'T');
    'aux'.'T' := 'T';
    'aux'.'R_s' := 287.117;
    'aux'.'rho' := 'd';
    'aux'.'p' := 287.117 * 'T' * 'd' * 'f'.'delta' * 'f'.'fdelta';
    // The enthalpy is zero at 273.15 K and 101325 Pa.
    'aux'.'h' := 287.117 * 'T' * ('f'.'tau' * 'f'.'ftau' + 'f'.'delta' * 'f'.'fdelta') - 1.58955762320524e6;
    'aux'.'s' := 287.117 * ('f'.'tau' * 'f'.'ftau' - 'f'.'f') - 6610.41237132543;
    'aux'.'pd' := 287.117 * 'T' * 'f'.'delta' * (2.0 * 'f'.'fdelta' + 'f'.'delta' * 'f'.'fdeltadelta');
    'aux'.'pt' := 287.117 * 'd' * 'f'.'delta' * ('f'.'fdelta' - 'f'.'tau' * 'f'.'fdeltatau');
    'aux'.'cv' := -287.117 * 'f'.'tau' ^ 2 * 'f'.'ftautau';
    'aux'.'cp' := 'aux'.'cv' + 'T' * 'aux'.'pt' ^ 2 / ('d' ^ 2 * 'aux'.'pd');
    'aux'.'vp' := -1.0 / ('d' ^ 2 * 'aux'.'pd');
    'aux'.'vt' := 'aux'.'pt' / ('d' ^ 2 * 'aux'.'pd');
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_dT';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_pT' "Properties of dry air at a pressure and a temperature"
    input Real 'p';
    input Real 'T';
    output 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
  algorithm
    'aux' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_dT'('Modelica.Media.Air.ReferenceAir.Air_Utilities.Inverses.dofpT'('p', 'T', 0.1), 'T');
    'aux'.'p' := 'p';
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_pT';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.Inverses.dTofph' "Density and temperature of dry air at a pressure and an enthalpy, by Newton's method"
    input Real 'p';
    input Real 'h';
    input Real 'delp';
    input Real 'delh';
    output Real 'd';
    output Real 'T';
    'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    Real 'e';
  algorithm
    'T' := min(2000.0, max(60.0, 273.15 + 'h' / 1010.0));
    for 'k' in 1:100 loop
      'd' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.Inverses.dofpT'('p', 'T', 'delp');
      'aux' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_dT'('d', 'T');
      'e' := 'aux'.'h' - 'h';
      'T' := min(2000.0, max(60.0, 'T' - 'e' / 'aux'.'cp'));
      if abs('e') <= 'delh' then
        break;
      end if;
    end for;
    'd' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.Inverses.dofpT'('p', 'T', 'delp');
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.Inverses.dTofph';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.Inverses.dTofps' "Density and temperature of dry air at a pressure and an entropy, by Newton's method"
    input Real 'p';
    input Real 's';
    input Real 'delp';
    input Real 'dels';
    output Real 'd';
    output Real 'T';
    'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    Real 'e';
  algorithm
    'T' := min(2000.0, max(60.0, 273.15 * exp(('s' + 287.117 * log('p' / 101325.0)) / 1010.0)));
    for 'k' in 1:100 loop
      'd' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.Inverses.dofpT'('p', 'T', 'delp');
      'aux' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_dT'('d', 'T');
      'e' := 'aux'.'s' - 's';
      'T' := min(2000.0, max(60.0, 'T' - 'T' * 'e' / 'aux'.'cp'));
      if abs('e') <= 'dels' then
        break;
      end if;
    end for;
    'd' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.Inverses.dofpT'('p', 'T', 'delp');
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.Inverses.dTofps';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_ph' "Properties of dry air at a pressure and an enthalpy"
    input Real 'p';
    input Real 'h';
    output 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    Real 'd';
    Real 'T';
  algorithm
    ('d', 'T') := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.Inverses.dTofph'('p', 'h', 0.1, 1e-7);
    'aux' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_dT'('d', 'T');
    'aux'.'p' := 'p';
    'aux'.'h' := 'h';
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_ph';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_ps' "Properties of dry air at a pressure and an entropy"
    input Real 'p';
    input Real 's';
    output 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    Real 'd';
    Real 'T';
  algorithm
    ('d', 'T') := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.Inverses.dTofps'('p', 's', 0.1, 1e-7);
    'aux' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_dT'('d', 'T');
    'aux'.'p' := 'p';
    'aux'.'s' := 's';
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_ps';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.rho_props_pT' "Density, from the properties"
    input Real 'p';
    input Real 'T';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    output Real 'rho';
  algorithm
    'rho' := 'aux'.'rho';
    annotation(derivative(noDerivative = 'aux') = 'Modelica.Media.Air.ReferenceAir.Air_Utilities.rho_pT_der');
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.rho_props_pT';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.rho_pT' "Density"
    input Real 'p';
    input Real 'T';
    output Real 'rho';
  algorithm
    'rho' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.rho_props_pT'('p', 'T', 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_pT'('p', 'T'));
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.rho_pT';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.h_props_pT' "Enthalpy, from the properties"
    input Real 'p';
    input Real 'T';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    output Real 'h';
  algorithm
    'h' := 'aux'.'h';
    annotation(derivative(noDerivative = 'aux') = 'Modelica.Media.Air.ReferenceAir.Air_Utilities.h_pT_der');
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.h_props_pT';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.h_pT' "Enthalpy"
    input Real 'p';
    input Real 'T';
    output Real 'h';
  algorithm
    'h' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.h_props_pT'('p', 'T', 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_pT'('p', 'T'));
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.h_pT';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.s_props_pT' "Entropy, from the properties"
    input Real 'p';
    input Real 'T';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    output Real 's';
  algorithm
    's' := 'aux'.'s';
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.s_props_pT';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.s_pT' "Entropy"
    input Real 'p';
    input Real 'T';
    output Real 's';
  algorithm
    's' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.s_props_pT'('p', 'T', 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_pT'('p', 'T'));
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.s_pT';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.cp_props_pT' "Heat capacity at constant pressure, from the properties"
    input Real 'p';
    input Real 'T';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    output Real 'cp';
  algorithm
    'cp' := 'aux'.'cp';
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.cp_props_pT';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.cp_pT' "Heat capacity at constant pressure"
    input Real 'p';
    input Real 'T';
    output Real 'cp';
  algorithm
    'cp' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.cp_props_pT'('p', 'T', 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_pT'('p', 'T'));
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.cp_pT';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.cv_props_pT' "Heat capacity at constant volume, from the properties"
    input Real 'p';
    input Real 'T';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    output Real 'cv';
  algorithm
    'cv' := 'aux'.'cv';
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.cv_props_pT';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.cv_pT' "Heat capacity at constant volume"
    input Real 'p';
    input Real 'T';
    output Real 'cv';
  algorithm
    'cv' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.cv_props_pT'('p', 'T', 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_pT'('p', 'T'));
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.cv_pT';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.rho_pT_der'
    input Real 'p';
    input Real 'T';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    input Real 'p_der';
    input Real 'T_der';
    output Real 'rho_der';
  algorithm
    'rho_der' := -'aux'.'rho' ^ 2 * ('aux'.'vp' * 'p_der' + 'aux'.'vt' * 'T_der');
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.rho_pT_der';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.h_pT_der'
    input Real 'p';
    input Real 'T';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    input Real 'p_der';
    input Real 'T_der';
    output Real 'h_der';
  algorithm
    'h_der' := (1.0 / 'aux'.'rho' - 'aux'.'T' * 'aux'.'vt') * 'p_der' + 'aux'.'cp' * 'T_der';
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.h_pT_der';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.rho_props_ph' "Density, from the properties"
    input Real 'p';
    input Real 'h';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    output Real 'rho';
  algorithm
    'rho' := 'aux'.'rho';
    annotation(derivative(noDerivative = 'aux') = 'Modelica.Media.Air.ReferenceAir.Air_Utilities.rho_ph_der');
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.rho_props_ph';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.rho_ph' "Density"
    input Real 'p';
    input Real 'h';
    output Real 'rho';
  algorithm
    'rho' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.rho_props_ph'('p', 'h', 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_ph'('p', 'h'));
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.rho_ph';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.T_props_ph' "Temperature, from the properties"
    input Real 'p';
    input Real 'h';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    output Real 'T';
  algorithm
    'T' := 'aux'.'T';
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.T_props_ph';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.T_ph' "Temperature"
    input Real 'p';
    input Real 'h';
    output Real 'T';
  algorithm
    'T' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.T_props_ph'('p', 'h', 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_ph'('p', 'h'));
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.T_ph';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.s_props_ph' "Entropy, from the properties"
    input Real 'p';
    input Real 'h';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    output Real 's';
  algorithm
    's' := 'aux'.'s';
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.s_props_ph';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.s_ph' "Entropy"
    input Real 'p';
    input Real 'h';
    output Real 's';
  algorithm
    's' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.s_props_ph'('p', 'h', 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_ph'('p', 'h'));
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.s_ph';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.cp_props_ph' "Heat capacity at constant pressure, from the properties"
    input Real 'p';
    input Real 'h';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    output Real 'cp';
  algorithm
    'cp' := 'aux'.'cp';
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.cp_props_ph';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.cp_ph' "Heat capacity at constant pressure"
    input Real 'p';
    input Real 'h';
    output Real 'cp';
  algorithm
    'cp' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.cp_props_ph'('p', 'h', 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_ph'('p', 'h'));
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.cp_ph';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.cv_props_ph' "Heat capacity at constant volume, from the properties"
    input Real 'p';
    input Real 'h';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    output Real 'cv';
  algorithm
    'cv' := 'aux'.'cv';
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.cv_props_ph';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.cv_ph' "Heat capacity at constant volume"
    input Real 'p';
    input Real 'h';
    output Real 'cv';
  algorithm
    'cv' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.cv_props_ph'('p', 'h', 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_ph'('p', 'h'));
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.cv_ph';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.rho_ph_der'
    input Real 'p';
    input Real 'h';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    input Real 'p_der';
    input Real 'h_der';
    output Real 'rho_der';
  algorithm
    'rho_der' := (('aux'.'rho' * ('aux'.'cv' * 'aux'.'rho' + 'aux'.'pt')) * 'p_der' - 'aux'.'rho' ^ 2 * 'aux'.'pt' * 'h_der') / ('aux'.'rho' ^ 2 * 'aux'.'pd' * 'aux'.'cv' + 'aux'.'T' * 'aux'.'pt' ^ 2);
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.rho_ph_der';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.rho_props_ps' "Density, from the properties"
    input Real 'p';
    input Real 's';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    output Real 'rho';
  algorithm
    'rho' := 'aux'.'rho';
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.rho_props_ps';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.rho_ps' "Density"
    input Real 'p';
    input Real 's';
    output Real 'rho';
  algorithm
    'rho' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.rho_props_ps'('p', 's', 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_ps'('p', 's'));
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.rho_ps';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.T_props_ps' "Temperature, from the properties"
    input Real 'p';
    input Real 's';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    output Real 'T';
  algorithm
    'T' := 'aux'.'T';
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.T_props_ps';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.T_ps' "Temperature"
    input Real 'p';
    input Real 's';
    output Real 'T';
  algorithm
    'T' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.T_props_ps'('p', 's', 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_ps'('p', 's'));
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.T_ps';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.h_props_ps' "Enthalpy, from the properties"
    input Real 'p';
    input Real 's';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    output Real 'h';
  algorithm
    'h' := 'aux'.'h';
    annotation(derivative(noDerivative = 'aux') = 'Modelica.Media.Air.ReferenceAir.Air_Utilities.h_ps_der');
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.h_props_ps';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.h_ps' "Enthalpy"
    input Real 'p';
    input Real 's';
    output Real 'h';
  algorithm
    'h' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.h_props_ps'('p', 's', 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_ps'('p', 's'));
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.h_ps';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.cp_props_ps' "Heat capacity at constant pressure, from the properties"
    input Real 'p';
    input Real 's';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    output Real 'cp';
  algorithm
    'cp' := 'aux'.'cp';
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.cp_props_ps';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.cp_ps' "Heat capacity at constant pressure"
    input Real 'p';
    input Real 's';
    output Real 'cp';
  algorithm
    'cp' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.cp_props_ps'('p', 's', 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_ps'('p', 's'));
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.cp_ps';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.cv_props_ps' "Heat capacity at constant volume, from the properties"
    input Real 'p';
    input Real 's';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    output Real 'cv';
  algorithm
    'cv' := 'aux'.'cv';
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.cv_props_ps';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.cv_ps' "Heat capacity at constant volume"
    input Real 'p';
    input Real 's';
    output Real 'cv';
  algorithm
    'cv' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.cv_props_ps'('p', 's', 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_ps'('p', 's'));
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.cv_ps';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.h_ps_der'
    input Real 'p';
    input Real 's';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    input Real 'p_der';
    input Real 's_der';
    output Real 'h_der';
  algorithm
    'h_der' := 1.0 / 'aux'.'rho' * 'p_der' + 'aux'.'T' * 's_der';
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.h_ps_der';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.h_props_dT' "Enthalpy, from the properties"
    input Real 'd';
    input Real 'T';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    output Real 'h';
  algorithm
    'h' := 'aux'.'h';
    annotation(derivative(noDerivative = 'aux') = 'Modelica.Media.Air.ReferenceAir.Air_Utilities.h_dT_der');
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.h_props_dT';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.h_dT' "Enthalpy"
    input Real 'd';
    input Real 'T';
    output Real 'h';
  algorithm
    'h' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.h_props_dT'('d', 'T', 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_dT'('d', 'T'));
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.h_dT';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.s_props_dT' "Entropy, from the properties"
    input Real 'd';
    input Real 'T';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    output Real 's';
  algorithm
    's' := 'aux'.'s';
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.s_props_dT';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.s_dT' "Entropy"
    input Real 'd';
    input Real 'T';
    output Real 's';
  algorithm
    's' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.s_props_dT'('d', 'T', 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_dT'('d', 'T'));
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.s_dT';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.p_props_dT' "Pressure, from the properties"
    input Real 'd';
    input Real 'T';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    output Real 'p';
  algorithm
    'p' := 'aux'.'p';
    annotation(derivative(noDerivative = 'aux') = 'Modelica.Media.Air.ReferenceAir.Air_Utilities.p_dT_der');
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.p_props_dT';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.p_dT' "Pressure"
    input Real 'd';
    input Real 'T';
    output Real 'p';
  algorithm
    'p' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.p_props_dT'('d', 'T', 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_dT'('d', 'T'));
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.p_dT';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.cp_props_dT' "Heat capacity at constant pressure, from the properties"
    input Real 'd';
    input Real 'T';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    output Real 'cp';
  algorithm
    'cp' := 'aux'.'cp';
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.cp_props_dT';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.cp_dT' "Heat capacity at constant pressure"
    input Real 'd';
    input Real 'T';
    output Real 'cp';
  algorithm
    'cp' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.cp_props_dT'('d', 'T', 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_dT'('d', 'T'));
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.cp_dT';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.cv_props_dT' "Heat capacity at constant volume, from the properties"
    input Real 'd';
    input Real 'T';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    output Real 'cv';
  algorithm
    'cv' := 'aux'.'cv';
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.cv_props_dT';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.cv_dT' "Heat capacity at constant volume"
    input Real 'd';
    input Real 'T';
    output Real 'cv';
  algorithm
    'cv' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.cv_props_dT'('d', 'T', 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_dT'('d', 'T'));
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.cv_dT';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.h_dT_der'
    input Real 'd';
    input Real 'T';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    input Real 'd_der';
    input Real 'T_der';
    output Real 'h_der';
  algorithm
    'h_der' := ('aux'.'pd' - 'aux'.'T' * 'aux'.'pt' / 'aux'.'rho') / 'aux'.'rho' * 'd_der' + ('aux'.'cv' + 'aux'.'pt' / 'aux'.'rho') * 'T_der';
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.h_dT_der';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.p_dT_der'
    input Real 'd';
    input Real 'T';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    input Real 'd_der';
    input Real 'T_der';
    output Real 'p_der';
  algorithm
    'p_der' := 'aux'.'pd' * 'd_der' + 'aux'.'pt' * 'T_der';
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.p_dT_der';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.beta_props_pT' "Expansion coefficient, from the properties"
    input Real 'p';
    input Real 'T';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    output Real 'beta';
  algorithm
    'beta' := 'aux'.'pt' / ('aux'.'rho' * 'aux'.'pd');
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.beta_props_pT';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.beta_pT' "Expansion coefficient"
    input Real 'p';
    input Real 'T';
    output Real 'beta';
  algorithm
    'beta' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.beta_props_pT'('p', 'T', 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_pT'('p', 'T'));
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.beta_pT';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.kappa_props_pT' "Compressibility, from the properties"
    input Real 'p';
    input Real 'T';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    output Real 'kappa';
  algorithm
    'kappa' := 1.0 / ('aux'.'rho' * 'aux'.'pd');
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.kappa_props_pT';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.kappa_pT' "Compressibility"
    input Real 'p';
    input Real 'T';
    output Real 'kappa';
  algorithm
    'kappa' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.kappa_props_pT'('p', 'T', 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_pT'('p', 'T'));
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.kappa_pT';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.velocityOfSound_props_pT' "Speed of sound, from the properties"
    input Real 'p';
    input Real 'T';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    output Real 'a_sound';
  algorithm
    'a_sound' := sqrt(max(0.0, ('aux'.'pd' * 'aux'.'rho' ^ 2 * 'aux'.'cv' + 'aux'.'pt' ^ 2 * 'aux'.'T') / ('aux'.'rho' ^ 2 * 'aux'.'cv')));
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.velocityOfSound_props_pT';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.velocityOfSound_pT' "Speed of sound"
    input Real 'p';
    input Real 'T';
    output Real 'a_sound';
  algorithm
    'a_sound' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.velocityOfSound_props_pT'('p', 'T', 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_pT'('p', 'T'));
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.velocityOfSound_pT';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.isentropicExponent_props_pT' "Isentropic exponent, from the properties"
    input Real 'p';
    input Real 'T';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    output Real 'gamma';
  algorithm
    'gamma' := ('aux'.'rho' ^ 2 * 'aux'.'pd' * 'aux'.'cv' + 'aux'.'pt' ^ 2 * 'aux'.'T') / ('aux'.'rho' * 'aux'.'p' * 'aux'.'cv');
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.isentropicExponent_props_pT';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.isentropicExponent_pT' "Isentropic exponent"
    input Real 'p';
    input Real 'T';
    output Real 'gamma';
  algorithm
    'gamma' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.isentropicExponent_props_pT'('p', 'T', 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_pT'('p', 'T'));
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.isentropicExponent_pT';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.beta_props_ph' "Expansion coefficient, from the properties"
    input Real 'p';
    input Real 'h';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    output Real 'beta';
  algorithm
    'beta' := 'aux'.'pt' / ('aux'.'rho' * 'aux'.'pd');
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.beta_props_ph';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.beta_ph' "Expansion coefficient"
    input Real 'p';
    input Real 'h';
    output Real 'beta';
  algorithm
    'beta' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.beta_props_ph'('p', 'h', 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_ph'('p', 'h'));
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.beta_ph';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.kappa_props_ph' "Compressibility, from the properties"
    input Real 'p';
    input Real 'h';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    output Real 'kappa';
  algorithm
    'kappa' := 1.0 / ('aux'.'rho' * 'aux'.'pd');
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.kappa_props_ph';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.kappa_ph' "Compressibility"
    input Real 'p';
    input Real 'h';
    output Real 'kappa';
  algorithm
    'kappa' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.kappa_props_ph'('p', 'h', 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_ph'('p', 'h'));
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.kappa_ph';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.velocityOfSound_props_ph' "Speed of sound, from the properties"
    input Real 'p';
    input Real 'h';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    output Real 'a_sound';
  algorithm
    'a_sound' := sqrt(max(0.0, ('aux'.'pd' * 'aux'.'rho' ^ 2 * 'aux'.'cv' + 'aux'.'pt' ^ 2 * 'aux'.'T') / ('aux'.'rho' ^ 2 * 'aux'.'cv')));
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.velocityOfSound_props_ph';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.velocityOfSound_ph' "Speed of sound"
    input Real 'p';
    input Real 'h';
    output Real 'a_sound';
  algorithm
    'a_sound' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.velocityOfSound_props_ph'('p', 'h', 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_ph'('p', 'h'));
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.velocityOfSound_ph';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.isentropicExponent_props_ph' "Isentropic exponent, from the properties"
    input Real 'p';
    input Real 'h';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    output Real 'gamma';
  algorithm
    'gamma' := ('aux'.'rho' ^ 2 * 'aux'.'pd' * 'aux'.'cv' + 'aux'.'pt' ^ 2 * 'aux'.'T') / ('aux'.'rho' * 'aux'.'p' * 'aux'.'cv');
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.isentropicExponent_props_ph';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.isentropicExponent_ph' "Isentropic exponent"
    input Real 'p';
    input Real 'h';
    output Real 'gamma';
  algorithm
    'gamma' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.isentropicExponent_props_ph'('p', 'h', 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_ph'('p', 'h'));
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.isentropicExponent_ph';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.beta_props_ps' "Expansion coefficient, from the properties"
    input Real 'p';
    input Real 's';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    output Real 'beta';
  algorithm
    'beta' := 'aux'.'pt' / ('aux'.'rho' * 'aux'.'pd');
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.beta_props_ps';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.beta_ps' "Expansion coefficient"
    input Real 'p';
    input Real 's';
    output Real 'beta';
  algorithm
    'beta' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.beta_props_ps'('p', 's', 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_ps'('p', 's'));
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.beta_ps';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.kappa_props_ps' "Compressibility, from the properties"
    input Real 'p';
    input Real 's';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    output Real 'kappa';
  algorithm
    'kappa' := 1.0 / ('aux'.'rho' * 'aux'.'pd');
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.kappa_props_ps';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.kappa_ps' "Compressibility"
    input Real 'p';
    input Real 's';
    output Real 'kappa';
  algorithm
    'kappa' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.kappa_props_ps'('p', 's', 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_ps'('p', 's'));
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.kappa_ps';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.velocityOfSound_props_ps' "Speed of sound, from the properties"
    input Real 'p';
    input Real 's';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    output Real 'a_sound';
  algorithm
    'a_sound' := sqrt(max(0.0, ('aux'.'pd' * 'aux'.'rho' ^ 2 * 'aux'.'cv' + 'aux'.'pt' ^ 2 * 'aux'.'T') / ('aux'.'rho' ^ 2 * 'aux'.'cv')));
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.velocityOfSound_props_ps';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.velocityOfSound_ps' "Speed of sound"
    input Real 'p';
    input Real 's';
    output Real 'a_sound';
  algorithm
    'a_sound' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.velocityOfSound_props_ps'('p', 's', 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_ps'('p', 's'));
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.velocityOfSound_ps';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.isentropicExponent_props_ps' "Isentropic exponent, from the properties"
    input Real 'p';
    input Real 's';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    output Real 'gamma';
  algorithm
    'gamma' := ('aux'.'rho' ^ 2 * 'aux'.'pd' * 'aux'.'cv' + 'aux'.'pt' ^ 2 * 'aux'.'T') / ('aux'.'rho' * 'aux'.'p' * 'aux'.'cv');
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.isentropicExponent_props_ps';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.isentropicExponent_ps' "Isentropic exponent"
    input Real 'p';
    input Real 's';
    output Real 'gamma';
  algorithm
    'gamma' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.isentropicExponent_props_ps'('p', 's', 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_ps'('p', 's'));
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.isentropicExponent_ps';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.beta_props_dT' "Expansion coefficient, from the properties"
    input Real 'd';
    input Real 'T';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    output Real 'beta';
  algorithm
    'beta' := 'aux'.'pt' / ('aux'.'rho' * 'aux'.'pd');
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.beta_props_dT';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.beta_dT' "Expansion coefficient"
    input Real 'd';
    input Real 'T';
    output Real 'beta';
  algorithm
    'beta' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.beta_props_dT'('d', 'T', 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_dT'('d', 'T'));
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.beta_dT';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.kappa_props_dT' "Compressibility, from the properties"
    input Real 'd';
    input Real 'T';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    output Real 'kappa';
  algorithm
    'kappa' := 1.0 / ('aux'.'rho' * 'aux'.'pd');
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.kappa_props_dT';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.kappa_dT' "Compressibility"
    input Real 'd';
    input Real 'T';
    output Real 'kappa';
  algorithm
    'kappa' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.kappa_props_dT'('d', 'T', 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_dT'('d', 'T'));
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.kappa_dT';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.velocityOfSound_props_dT' "Speed of sound, from the properties"
    input Real 'd';
    input Real 'T';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    output Real 'a_sound';
  algorithm
    'a_sound' := sqrt(max(0.0, ('aux'.'pd' * 'aux'.'rho' ^ 2 * 'aux'.'cv' + 'aux'.'pt' ^ 2 * 'aux'.'T') / ('aux'.'rho' ^ 2 * 'aux'.'cv')));
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.velocityOfSound_props_dT';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.velocityOfSound_dT' "Speed of sound"
    input Real 'd';
    input Real 'T';
    output Real 'a_sound';
  algorithm
    'a_sound' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.velocityOfSound_props_dT'('d', 'T', 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_dT'('d', 'T'));
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.velocityOfSound_dT';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.isentropicExponent_props_dT' "Isentropic exponent, from the properties"
    input Real 'd';
    input Real 'T';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    output Real 'gamma';
  algorithm
    'gamma' := ('aux'.'rho' ^ 2 * 'aux'.'pd' * 'aux'.'cv' + 'aux'.'pt' ^ 2 * 'aux'.'T') / ('aux'.'rho' * 'aux'.'p' * 'aux'.'cv');
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.isentropicExponent_props_dT';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.isentropicExponent_dT' "Isentropic exponent"
    input Real 'd';
    input Real 'T';
    output Real 'gamma';
  algorithm
    'gamma' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.isentropicExponent_props_dT'('d', 'T', 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_dT'('d', 'T'));
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.isentropicExponent_dT';


  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.Transport.eta_dT' "Viscosity of dry air, Lemmon and Jacobsen (2004)"
    input Real 'd';
    input Real 'T';
    output Real 'eta';
    constant Real 'b'[5] = {0.431, -0.4623, 0.08406, 0.005341, -0.00331};
    Real 't' = 132.6312 / 'T';
    Real 'x' = 'd' / (28.9586e-3 * 10447.7);
    Real 'l' = log('T' / 103.3);
    Real 'w';
  algorithm
    'w' := 'b'[1] + 'l' * ('b'[2] + 'l' * ('b'[3] + 'l' * ('b'[4] + 'l' * 'b'[5])));
    'eta' := 0.0266958 * sqrt(28.9586 * 'T') / (0.360 ^ 2 * exp('w'));
    'eta' := 1e-6 * ('eta' + 10.72 * 't' ^ 0.2 * 'x' + 1.122 * 't' ^ 0.05 * 'x' ^ 4 + 0.002019 * 't' ^ 2.4 * 'x' ^ 9 - 8.876 * 't' ^ 0.6 * 'x' * exp(-'x') - 0.02916 * 't' ^ 3.6 * 'x' ^ 8 * exp(-'x'));
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.Transport.eta_dT';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Water95_Utilities.psat' "Saturation pressure, not above 553 K"
    input Real 'T';
    output Real 'p';
  algorithm
    'p' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.psat'(min('T', 553.0));
    annotation(derivative = 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Water95_Utilities.psat_der');
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Water95_Utilities.psat';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Water95_Utilities.psat_der'
    input Real 'T';
    input Real 'T_der';
    output Real 'p_der';
  algorithm
    'p_der' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.dptofT'(min('T', 553.0)) * 'T_der';
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Water95_Utilities.psat_der';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Water95_Utilities.Tsat' "Saturation temperature"
    input Real 'p';
    output Real 'T';
  algorithm
    'T' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tsat'('p');
    annotation(derivative = 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Water95_Utilities.Tsat_der');
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Water95_Utilities.Tsat';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Water95_Utilities.Tsat_der'
    input Real 'p';
    input Real 'p_der';
    output Real 'T_der';
  algorithm
    'T_der' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.dtsatofp'('p') * 'p_der';
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Water95_Utilities.Tsat_der';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.IF97_new.g2' "Gibbs function of steam, region 2, without limits"
    input Real 'p';
    input Real 'T';
    output 'Modelica.Media.Common.GibbsDerivs' 'g';
  algorithm
    'g' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.g2'('p', 'T', false);
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.IF97_new.g2';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.IF97_new.h_pT' "Enthalpy of steam"
    input Real 'p';
    input Real 'T';
    input Integer 'region' = 0;
    output Real 'h';
    'Modelica.Media.Common.GibbsDerivs' 'g';
  algorithm
    'g' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.IF97_new.g2'('p', 'T');
    'h' := 'g'.'R_s' * 'T' * 'g'.'tau' * 'g'.'gtau';
    annotation(derivative(noDerivative = 'region') = 'Modelica.Media.Air.ReferenceMoistAir.Utilities.IF97_new.h_pT_der');
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.IF97_new.h_pT';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.IF97_new.h_pT_der'
    input Real 'p';
    input Real 'T';
    input Integer 'region' = 0;
    input Real 'p_der';
    input Real 'T_der';
    output Real 'h_der';
    'Modelica.Media.Common.GibbsDerivs' 'g';
  algorithm
    'g' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.IF97_new.g2'('p', 'T');
    // v - T*dv/dT and the heat capacity.
    'h_der' := 'g'.'R_s' * 'T' * 'g'.'pi' * 'g'.'tau' * 'g'.'gtaupi' / 'p' * 'p_der' - 'g'.'R_s' * 'g'.'tau' ^ 2 * 'g'.'gtautau' * 'T_der';
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.IF97_new.h_pT_der';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.IF97_new.s_pT' "Entropy of steam"
    input Real 'p';
    input Real 'T';
    input Integer 'region' = 0;
    output Real 's';
    'Modelica.Media.Common.GibbsDerivs' 'g';
  algorithm
    'g' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.IF97_new.g2'('p', 'T');
    's' := 'g'.'R_s' * ('g'.'tau' * 'g'.'gtau' - 'g'.'g');
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.IF97_new.s_pT';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.IF97_new.cp_pT' "Heat capacity of steam at constant pressure"
    input Real 'p';
    input Real 'T';
    input Integer 'region' = 0;
    output Real 'cp';
    'Modelica.Media.Common.GibbsDerivs' 'g';
  algorithm
    'g' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.IF97_new.g2'('p', 'T');
    'cp' := -'g'.'R_s' * 'g'.'tau' ^ 2 * 'g'.'gtautau';
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.IF97_new.cp_pT';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.IF97_new.cv_pT' "Heat capacity of steam at constant volume"
    input Real 'p';
    input Real 'T';
    input Integer 'region' = 0;
    output Real 'cv';
    'Modelica.Media.Common.GibbsDerivs' 'g';
  algorithm
    'g' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.IF97_new.g2'('p', 'T');
    'cv' := 'g'.'R_s' * (('g'.'gpi' - 'g'.'tau' * 'g'.'gtaupi') ^ 2 / 'g'.'gpipi' - 'g'.'tau' ^ 2 * 'g'.'gtautau');
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.IF97_new.cv_pT';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.IF97_new.rho_pT' "Density of steam"
    input Real 'p';
    input Real 'T';
    output Real 'rho';
    'Modelica.Media.Common.GibbsDerivs' 'g';
  algorithm
    'g' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.IF97_new.g2'('p', 'T');
    'rho' := 'p' / ('g'.'R_s' * 'T' * 'g'.'pi' * 'g'.'gpi');
    annotation(derivative = 'Modelica.Media.Air.ReferenceMoistAir.Utilities.IF97_new.rho_pT_der');
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.IF97_new.rho_pT';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.IF97_new.rho_pT_der'
    input Real 'p';
    input Real 'T';
    input Real 'p_der';
    input Real 'T_der';
    output Real 'rho_der';
    'Modelica.Media.Common.GibbsDerivs' 'g';
    Real 'd';
  algorithm
    'g' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.IF97_new.g2'('p', 'T');
    'd' := 'p' / ('g'.'R_s' * 'T' * 'g'.'pi' * 'g'.'gpi');
    'rho_der' := -'d' ^ 2 * ('g'.'R_s' * 'T' * 'g'.'pi' ^ 2 * 'g'.'gpipi' / 'p' ^ 2 * 'p_der' + 'g'.'R_s' * 'g'.'pi' * ('g'.'gpi' - 'g'.'tau' * 'g'.'gtaupi') / 'p' * 'T_der');
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.IF97_new.rho_pT_der';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.IF97_new.visc_dT' "Viscosity of steam and water"
    input Real 'd';
    input Real 'T';
    output Real 'eta';
  algorithm
    'eta' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Transport.visc_dTp'('d', 'T', 1e5, 0, false);
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.IF97_new.visc_dT';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.IF97_new.cond_dT' "Heat conductivity of steam and water, industrial equation of IAPWS (1985)"
    input Real 'd';
    input Real 'T';
    output Real 'lambda';
    Real 't' = 'T' / 647.25;
    Real 'r' = 'd' / 317.7;
    Real 'e';
    Real 'q';
    Real 's';
  algorithm
    'e' := abs('t' - 1.0) + 0.00308976;
    'q' := 2.0 + 0.0822994 / 'e' ^ 0.6;
    's' := if 't' >= 1.0 then 1.0 / 'e' else 10.0932 / 'e' ^ 0.6;
    'lambda' := sqrt('t') * (0.0102811 + 't' * (0.0299621 + 't' * (0.0156146 - 0.00422464 * 't')));
    'lambda' := 'lambda' - 0.39707 + 0.400302 * 'r' + 1.06 * exp(-0.171587 * ('r' + 2.39219) ^ 2);
    'lambda' := 'lambda' + (0.0701309 / 't' ^ 10 + 0.011852) * 'r' ^ 1.8 * exp(0.642857 * (1.0 - 'r' ^ 2.8)) + 0.00169937 * 's' * 'r' ^ 'q' * exp('q' / (1.0 + 'q') * (1.0 - 'r' ^ (1.0 + 'q'))) - 1.02 * exp(-4.11717 * 't' ^ 1.5 - 6.17937 / 'r' ^ 5);
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.IF97_new.cond_dT';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.Basic.part' "A complex part of the Gibbs function of ice, r*f(theta) with f = (t - theta)*ln(t - theta) + (t + theta)*ln(t + theta) - 2*t*ln(t) - theta^2/t: real parts of it and of its slopes"
    input Real 'theta';
    input Real 't_re';
    input Real 't_im';
    input Real 'r_re';
    input Real 'r_im';
    output Real 'g';
    output Real 'gT';
    output Real 'gTT';
    Real 'm';
    Real 'n';
    Real 'o';
    Real 'lm';
    Real 'ln';
    Real 'lo';
    Real 'am';
    Real 'an';
    Real 'ao';
    Real 're';
    Real 'im';
  algorithm
    // Squares of the lengths of t - theta, t + theta and t; their logarithms and angles.
    'm' := ('t_re' - 'theta') ^ 2 + 't_im' ^ 2;
    'n' := ('t_re' + 'theta') ^ 2 + 't_im' ^ 2;
    'o' := 't_re' ^ 2 + 't_im' ^ 2;
    'lm' := 0.5 * log('m');
    'ln' := 0.5 * log('n');
    'lo' := 0.5 * log('o');
    'am' := atan2('t_im', 't_re' - 'theta');
    'an' := atan2('t_im', 't_re' + 'theta');
    'ao' := atan2('t_im', 't_re');
    're' := ('t_re' - 'theta') * 'lm' - 't_im' * 'am' + ('t_re' + 'theta') * 'ln' - 't_im' * 'an' - 2.0 * ('t_re' * 'lo' - 't_im' * 'ao') - 'theta' ^ 2 * 't_re' / 'o';
    'im' := ('t_re' - 'theta') * 'am' + 't_im' * 'lm' + ('t_re' + 'theta') * 'an' + 't_im' * 'ln' - 2.0 * ('t_re' * 'ao' + 't_im' * 'lo') + 'theta' ^ 2 * 't_im' / 'o';
    'g' := 'r_re' * 're' - 'r_im' * 'im';
    're' := 'ln' - 'lm' - 2.0 * 'theta' * 't_re' / 'o';
    'im' := 'an' - 'am' + 2.0 * 'theta' * 't_im' / 'o';
    'gT' := 'r_re' * 're' - 'r_im' * 'im';
    're' := ('t_re' - 'theta') / 'm' + ('t_re' + 'theta') / 'n' - 2.0 * 't_re' / 'o';
    'im' := -'t_im' / 'm' - 't_im' / 'n' + 2.0 * 't_im' / 'o';
    'gTT' := 'r_re' * 're' - 'r_im' * 'im';
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.Basic.part';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.ice09BaseProp_pT' "Properties of ice at a pressure and a temperature"
    input Real 'p';
    input Real 'T';
    output 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    Real 'x' = ('p' - 101325.0) / 611.657;
    Real 'theta' = 'T' / 273.16;
    Real 'g';
    Real 'gp';
    Real 'gpp';
    Real 'gT';
    Real 'gTT';
    Real 'gTp';
    Real 'a';
    Real 'b';
    Real 'c';
  algorithm
    'g' := -632020.233449497 + 'x' * (0.655022213658955 + 'x' * (-1.89369929326131e-8 + 'x' * (3.39746123271053e-15 - 5.56464869058991e-22 * 'x')));
    'gp' := (0.655022213658955 + 'x' * (-2.0 * 1.89369929326131e-8 + 'x' * (3.0 * 3.39746123271053e-15 - 4.0 * 5.56464869058991e-22 * 'x'))) / 611.657;
    'gpp' := (-2.0 * 1.89369929326131e-8 + 'x' * (6.0 * 3.39746123271053e-15 - 12.0 * 5.56464869058991e-22 * 'x')) / 611.657 ^ 2;
    ('a', 'b', 'c') := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.Basic.part'('theta', 0.0368017112855051, 0.0510878114959572, 44.7050716285388, 65.6876847463481);
    'g' := 'g' + 3327.33756492168 * 'T' + 273.16 * 'a';
    'gT' := 3327.33756492168 + 'b';
    'gTT' := 'c' / 273.16;
    ('a', 'b', 'c') := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.Basic.part'('theta', 0.337315741065416, 0.335449415919309, -72.597457432922 + 'x' * (-5.57107698030123e-5 + 'x' * 2.34801409215913e-11), -78.100842711287 + 'x' * (4.64578634580806e-5 - 'x' * 2.85651142904972e-11));
    'g' := 'g' + 273.16 * 'a';
    'gT' := 'gT' + 'b';
    'gTT' := 'gTT' + 'c' / 273.16;
    ('a', 'b', 'c') := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.Basic.part'('theta', 0.337315741065416, 0.335449415919309, (-5.57107698030123e-5 + 'x' * 2.0 * 2.34801409215913e-11) / 611.657, (4.64578634580806e-5 - 'x' * 2.0 * 2.85651142904972e-11) / 611.657);
    'gp' := 'gp' + 273.16 * 'a';
    'gTp' := 'b';
    ('a', 'b', 'c') := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.Basic.part'('theta', 0.337315741065416, 0.335449415919309, 2.0 * 2.34801409215913e-11 / 611.657 ^ 2, -2.0 * 2.85651142904972e-11 / 611.657 ^ 2);
    'gpp' := 'gpp' + 273.16 * 'a';
    'aux'.'p' := 'p';
    'aux'.'T' := 'T';
    'aux'.'R_s' := 461.52364;
    'aux'.'rho' := 1.0 / 'gp';
    'aux'.'h' := 'g' - 'T' * 'gT';
    'aux'.'s' := -'gT';
    'aux'.'cp' := -'T' * 'gTT';
    'aux'.'cv' := 'aux'.'cp' + 'T' * 'gTp' ^ 2 / 'gpp';
    'aux'.'vt' := 'gTp';
    'aux'.'vp' := 'gpp';
    'aux'.'pd' := -'gp' ^ 2 / 'gpp';
    'aux'.'pt' := -'gTp' / 'gpp';
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.ice09BaseProp_pT';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.rho_props_pT' "Density, from the properties"
    input Real 'p';
    input Real 'T';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    output Real 'rho';
  algorithm
    'rho' := 'aux'.'rho';
    annotation(derivative(noDerivative = 'aux') = 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.rho_pT_der');
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.rho_props_pT';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.rho_pT' "Density"
    input Real 'p';
    input Real 'T';
    output Real 'rho';
  algorithm
    'rho' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.rho_props_pT'('p', 'T', 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.ice09BaseProp_pT'('p', 'T'));
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.rho_pT';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.h_props_pT' "Enthalpy, from the properties"
    input Real 'p';
    input Real 'T';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    output Real 'h';
  algorithm
    'h' := 'aux'.'h';
    annotation(derivative(noDerivative = 'aux') = 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.h_pT_der');
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.h_props_pT';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.h_pT' "Enthalpy"
    input Real 'p';
    input Real 'T';
    output Real 'h';
  algorithm
    'h' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.h_props_pT'('p', 'T', 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.ice09BaseProp_pT'('p', 'T'));
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.h_pT';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.s_props_pT' "Entropy, from the properties"
    input Real 'p';
    input Real 'T';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    output Real 's';
  algorithm
    's' := 'aux'.'s';
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.s_props_pT';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.s_pT' "Entropy"
    input Real 'p';
    input Real 'T';
    output Real 's';
  algorithm
    's' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.s_props_pT'('p', 'T', 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.ice09BaseProp_pT'('p', 'T'));
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.s_pT';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.rho_pT_der'
    input Real 'p';
    input Real 'T';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    input Real 'p_der';
    input Real 'T_der';
    output Real 'rho_der';
  algorithm
    'rho_der' := -'aux'.'rho' ^ 2 * ('aux'.'vp' * 'p_der' + 'aux'.'vt' * 'T_der');
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.rho_pT_der';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.h_pT_der'
    input Real 'p';
    input Real 'T';
    input 'Modelica.Media.Common.AuxiliaryProperties' 'aux';
    input Real 'p_der';
    input Real 'T_der';
    output Real 'h_der';
  algorithm
    'h_der' := (1.0 / 'aux'.'rho' - 'aux'.'T' * 'aux'.'vt') * 'p_der' + 'aux'.'cp' * 'T_der';
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.h_pT_der';


  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.Basic.psub' "Sublimation pressure of ice"
    input Real 'T';
    output Real 'p_sub';
    Real 't' = 'T' / 273.16;
  algorithm
    'p_sub' := 611.657 * exp((-21.2144006 * 't' ^ 0.00333333333 + 27.3203819 * 't' ^ 1.20666667 - 6.1059813 * 't' ^ 1.70333333) / 't');
    annotation(derivative = 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.Basic.psub_der');
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.Basic.psub';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.Basic.psub_der'
    input Real 'T';
    input Real 'T_der';
    output Real 'p_sub_der';
    Real 't' = 'T' / 273.16;
  algorithm
    'p_sub_der' := 'T_der' * 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.Basic.psub'('T') / 'T' * (21.2144006 * (1.0 - 0.00333333333) * 't' ^ (0.00333333333 - 1.0) + 27.3203819 * 0.20666667 * 't' ^ 0.20666667 - 6.1059813 * 0.70333333 * 't' ^ 0.70333333);
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.Basic.psub_der';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.Basic.Tsub' "Sublimation temperature of ice, by Newton's method for the logarithm of the pressure over the reciprocal temperature"
    input Real 'p';
    output Real 'T_sub';
    Real 'q';
    Real 'y';
  algorithm
    // Over the reciprocal temperature the logarithm of the pressure is almost a straight line.
    'y' := 1.0 / 273.16 - log('p' / 611.657) / 6139.0;
    'T_sub' := 1.0 / max('y', 1.0 / 2000.0);
    for 'k' in 1:50 loop
      'q' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.Basic.psub'('T_sub');
      'y' := log('q' / 'p') * 'q' / 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.Basic.psub_der'('T_sub', 1.0);
      'T_sub' := min(2000.0, max(50.0, 'T_sub' / (1.0 + 'y' / 'T_sub')));
      if abs('y') <= 1e-10 * 'T_sub' then
        break;
      end if;
    end for;
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.Basic.Tsub';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.f_pT' "Enhancement factor: not used by the package"
    input Real 'p';
    input Real 'T';
    output Real 'f';
  algorithm
    'f' := 1.0;
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.f_pT';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.pds_pT' "Partial pressure of steam at saturation, not above the pressure"
    input Real 'p';
    input Real 'T';
    output Real 'pds';
  algorithm
    if 'T' >= 273.16 then
      'pds' := if 'T' <= 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Water95_Utilities.Tsat'('p') then 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Water95_Utilities.psat'('T') else 'p';
    else
      'pds' := if 'T' <= 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.Basic.Tsub'('p') then 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.Basic.psub'('T') else 'p';
    end if;
    annotation(derivative = 'Modelica.Media.Air.ReferenceMoistAir.Utilities.pds_pT_der');
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.pds_pT';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.pds_pT_der'
    input Real 'p';
    input Real 'T';
    input Real 'p_der';
    input Real 'T_der';
    output Real 'pds_der';
  algorithm
    if 'T' >= 273.16 then
      'pds_der' := if 'T' <= 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Water95_Utilities.Tsat'('p') then 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Water95_Utilities.psat_der'('T', 'T_der') else 'p_der';
    else
      'pds_der' := if 'T' <= 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.Basic.Tsub'('p') then 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.Basic.psub_der'('T', 'T_der') else 'p_der';
    end if;
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.pds_pT_der';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.xws_pT' "Water per dry air at saturation"
    input Real 'p';
    input Real 'T';
    output Real 'xws';
    Real 'pds';
  algorithm
    'pds' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.pds_pT'('p', 'T');
    'xws' := if 'pds' < 'p' then 0.6221042453709779 * 'pds' / ('p' - 'pds') else 1e60;
    annotation(derivative = 'Modelica.Media.Air.ReferenceMoistAir.Utilities.xws_pT_der');
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.xws_pT';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.xws_pT_der'
    input Real 'p';
    input Real 'T';
    input Real 'p_der';
    input Real 'T_der';
    output Real 'xws_der';
    Real 'pds';
    Real 'pds_der';
  algorithm
    'pds' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.pds_pT'('p', 'T');
    'pds_der' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.pds_pT_der'('p', 'T', 'p_der', 'T_der');
    'xws_der' := if 'pds' < 'p' then 0.6221042453709779 * ('pds_der' * 'p' - 'pds' * 'p_der') / ('p' - 'pds') ^ 2 else 0.0;
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.xws_pT_der';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.pd_pTX' "Partial pressure of steam"
    input Real 'p';
    input Real 'T';
    input Real 'X'[:] = {0.01, 0.99};
    output Real 'pd';
    Real 'xw';
  algorithm
    if 'X'[1] == 0.0 then
      'pd' := 0.0;
    else
      'xw' := 'X'[1] / (1.0 - 'X'[1]);
      'pd' := if 'xw' <= 'Modelica.Media.Air.ReferenceMoistAir.Utilities.xws_pT'('p', 'T') then 'xw' / (0.6221042453709779 + 'xw') * 'p' else 'Modelica.Media.Air.ReferenceMoistAir.Utilities.pds_pT'('p', 'T');
    end if;
    annotation(derivative = 'Modelica.Media.Air.ReferenceMoistAir.Utilities.pd_pTX_der');
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.pd_pTX';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.pd_pTX_der'
    input Real 'p';
    input Real 'T';
    input Real 'X'[:] = {0.01, 0.99};
    input Real 'p_der';
    input Real 'T_der';
    input Real 'X_der'[:];
    output Real 'pd_der';
    Real 'xw';
    Real 'xw_der';
  algorithm
    if 'X'[1] == 0.0 then
      'pd_der' := 0.0;
    else
      'xw' := 'X'[1] / (1.0 - 'X'[1]);
      'xw_der' := 'X_der'[1] / (1.0 - 'X'[1]) ^ 2;
      'pd_der' := if 'xw' <= 'Modelica.Media.Air.ReferenceMoistAir.Utilities.xws_pT'('p', 'T') then 0.6221042453709779 * 'xw_der' / (0.6221042453709779 + 'xw') ^ 2 * 'p' + 'xw' / (0.6221042453709779 + 'xw') * 'p_der' else 'Modelica.Media.Air.ReferenceMoistAir.Utilities.pds_pT_der'('p', 'T', 'p_der', 'T_der');
    end if;
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.pd_pTX_der';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.dissociation' "Shares of the products of dissociation and what they add to heat capacity and enthalpy"
    input Real 'p';
    input Real 'T';
    input Real 'X'[:];
    input Real 'p_der';
    input Real 'T_der';
    input Real 'X_der'[:];
    output Real 'cp';
    output Real 'h';
    output Real 'h_der';
    constant Real 'M'[4] = {18.015257e-3, 28.01348e-3, 31.9988e-3, 39.948e-3};
    // H2, OH, H, O and NO.
    constant Real 'A'[5] = {1075.5, 165.95, 1491.75, 3235.34, 4.5542};
    constant Real 'B'[5] = {-30283.3, -19526.8, -27488.0, -30807.8, -10973.6};
    constant Real 'c'[5] = {-65.2, -18.7, -3.6, -21.8, -5.6};
    constant Real 'd'[5] = {3.03e5, 5.72e4, 3.93e5, 1.5e5, 1.62e4};
    constant Real 'e'[5] = {7.277e9, 3.136e9, 5.826e9, 7.659e9, 9.94e8};
    // Powers of the shares of water, nitrogen, oxygen, and of the pressure; those of H hold half of H2's.
    constant Real 'water'[5] = {1.0, 0.5, 0.5, 0.0, 0.0};
    constant Real 'nitrogen'[5] = {0.0, 0.0, 0.0, 0.0, 0.5};
    constant Real 'oxygen'[5] = {-0.5, 0.25, -0.25, 0.5, 0.5};
    constant Real 'power'[5] = {-0.5, -0.25, -0.75, -0.5, 0.0};
    Real 'n'[4];
    Real 'n_der'[4];
    Real 'N';
    Real 'N_der';
    Real 'Y'[4];
    Real 'Y_der'[4];
    Real 'w';
    Real 'w_der';
    Real 'b';
    Real 'a';
    Real 'v';
    Real 'v_der';
    Real 'sum0';
    Real 'sum0_der';
    Real 'sum1';
    Real 'sum1_der';
  algorithm
    'n' := {'X'[1] / 'M'[1], 0.7557 * 'X'[2] / 'M'[2], 0.2316 * 'X'[2] / 'M'[3], 0.0127 * 'X'[2] / 'M'[4]};
    'n_der' := {'X_der'[1] / 'M'[1], 0.7557 * 'X_der'[2] / 'M'[2], 0.2316 * 'X_der'[2] / 'M'[3], 0.0127 * 'X_der'[2] / 'M'[4]};
    'N' := 'n'[1] + 'n'[2] + 'n'[3] + 'n'[4];
    'N_der' := 'n_der'[1] + 'n_der'[2] + 'n_der'[3] + 'n_der'[4];
    for 'i' in 1:4 loop
      'Y'['i'] := 'n'['i'] / 'N';
      'Y_der'['i'] := ('n_der'['i'] - 'Y'['i'] * 'N_der') / 'N';
    end for;
    'cp' := 0.0;
    'sum0' := 1.0;
    'sum0_der' := 0.0;
    'sum1' := 0.0;
    'sum1_der' := 0.0;
    for 'i' in 1:5 loop
      'a' := if 'i' == 3 then 'A'[3] * sqrt('A'[1]) else 'A'['i'];
      'b' := if 'i' == 3 then 'B'[3] + 0.5 * 'B'[1] else 'B'['i'];
      'w' := if 'Y'[1] <= 0.0 and 'water'['i'] > 0.0 then 0.0 else 'a' * (if 'water'['i'] > 0.0 then 'Y'[1] ^ 'water'['i'] else 1.0) * 'Y'[2] ^ 'nitrogen'['i'] * 'Y'[3] ^ 'oxygen'['i'] * ('p' / 101325.0) ^ 'power'['i'] * exp('b' / 'T');
      'w_der' := if 'w' <= 0.0 then 0.0 else 'w' * ((if 'water'['i'] > 0.0 then 'water'['i'] * 'Y_der'[1] / 'Y'[1] else 0.0) + 'nitrogen'['i'] * 'Y_der'[2] / 'Y'[2] + 'oxygen'['i'] * 'Y_der'[3] / 'Y'[3] + 'power'['i'] * 'p_der' / 'p' - 'b' / 'T' ^ 2 * 'T_der');
      'v' := 'c'['i'] + 'd'['i'] / 'T' + 'e'['i'] / 'T' ^ 2;
      'v_der' := -('d'['i'] + 2.0 * 'e'['i'] / 'T') / 'T' ^ 2 * 'T_der';
      'cp' := 'cp' + 'w' * 'v';
      'sum0' := 'sum0' + 'w';
      'sum0_der' := 'sum0_der' + 'w_der';
      'sum1' := 'sum1' + 'w' * 'v' / 'B'['i'];
      'sum1_der' := 'sum1_der' + ('w_der' * 'v' + 'w' * 'v_der') / 'B'['i'];
    end for;
    'cp' := 'cp' / 'sum0' * 'N';
    'h' := -'T' ^ 2 * 'sum1' / 'sum0' * 'N';
    'h_der' := -(2.0 * 'T' * 'T_der' * 'sum1' / 'sum0' * 'N' + 'T' ^ 2 * (('sum1_der' - 'sum1' * 'sum0_der' / 'sum0') / 'sum0' * 'N' + 'sum1' / 'sum0' * 'N_der'));
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.dissociation';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.h_dis_pTX' "Enthalpy of dissociation"
    input Real 'p';
    input Real 'T';
    input Real 'X'[:] = {0.01, 0.99};
    output Real 'u';
    Real 'cp';
    Real 'u_der';
  algorithm
    ('cp', 'u', 'u_der') := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.dissociation'('p', 'T', 'X', 0.0, 0.0, {0.0, 0.0});
    annotation(derivative = 'Modelica.Media.Air.ReferenceMoistAir.Utilities.h_dis_pTX_der');
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.h_dis_pTX';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.h_dis_pTX_der'
    input Real 'p';
    input Real 'T';
    input Real 'X'[:] = {0.01, 0.99};
    input Real 'p_der';
    input Real 'T_der';
    input Real 'X_der'[:];
    output Real 'u_der';
    Real 'cp';
    Real 'u';
  algorithm
    ('cp', 'u', 'u_der') := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.dissociation'('p', 'T', 'X', 'p_der', 'T_der', 'X_der');
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.h_dis_pTX_der';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.s_dis_pTX' "Entropy of dissociation"
    input Real 'p';
    input Real 'T';
    input Real 'X'[:] = {0.01, 0.99};
    output Real 'u';
  algorithm
    'u' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.h_dis_pTX'('p', 'T', 'X') / 'T';
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.s_dis_pTX';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.cp_dis_pTX' "Heat capacity by dissociation"
    input Real 'p';
    input Real 'T';
    input Real 'X'[:] = {0.01, 0.99};
    output Real 'u';
    Real 'h';
    Real 'h_der';
  algorithm
    ('u', 'h', 'h_der') := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.dissociation'('p', 'T', 'X', 0.0, 0.0, {0.0, 0.0});
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.cp_dis_pTX';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.phi_pTX' "Relative humidity"
    input Real 'p';
    input Real 'T';
    input Real 'X'[:] = {0.01, 0.99};
    output Real 'phi';
    Real 'xw';
  algorithm
    'xw' := 'X'[1] / (1.0 - 'X'[1]);
    'phi' := if 'X'[1] == 0.0 then 0.0 else 'xw' / (0.6221042453709779 + 'xw') * 'p' / max(2.220446049250313e-14, if 'T' >= 273.16 then 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.psat'('T') else 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.Basic.psub'('T'));
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.phi_pTX';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.h_pTX' "Enthalpy of moist air"
    input Real 'p';
    input Real 'T';
    input Real 'X'[:] = {0.01, 0.99};
    output Real 'h';
    Real 'xw';
    Real 'xws';
    Real 'pd';
  algorithm
    if 'X'[1] == 0.0 then
      'h' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.h_pT'('p', 'T');
    else
      'pd' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.pd_pTX'('p', 'T', 'X');
      'xw' := 'X'[1] / (1.0 - 'X'[1]);
      'xws' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.xws_pT'('p', 'T');
      'h' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.h_pT'('p' - 'pd', 'T') + min('xw', 'xws') * 'Modelica.Media.Air.ReferenceMoistAir.Utilities.IF97_new.h_pT'('pd', 'T', 0);
      if 'xw' > 'xws' then
        'h' := 'h' + ('xw' - 'xws') * (if 'T' < 273.16 then 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.h_pT'('p', 'T') else 'Modelica.Media.Water.IF97_Utilities.h_pT'('p', 'T', 0));
      elseif 'T' >= 773.15 then
        'h' := 'h' + (1.0 + 'xw') * 'Modelica.Media.Air.ReferenceMoistAir.Utilities.h_dis_pTX'('p', 'T', 'X');
      end if;
      'h' := 'h' / (1.0 + 'xw');
    end if;
    annotation(derivative = 'Modelica.Media.Air.ReferenceMoistAir.Utilities.h_pTX_der');
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.h_pTX';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.rho_pTX' "Density of moist air"
    input Real 'p';
    input Real 'T';
    input Real 'X'[:] = {0.01, 0.99};
    output Real 'd';
    Real 'xw';
    Real 'xws';
    Real 'pd';
  algorithm
    if 'X'[1] == 0.0 then
      'd' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.rho_pT'('p', 'T');
    else
      'pd' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.pd_pTX'('p', 'T', 'X');
      'xw' := 'X'[1] / (1.0 - 'X'[1]);
      'xws' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.xws_pT'('p', 'T');
      'd' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.rho_pT'('p' - 'pd', 'T') + (if 'T' < 273.16 then 'pd' / (461.51805 * 'T') else 'Modelica.Media.Air.ReferenceMoistAir.Utilities.IF97_new.rho_pT'('pd', 'T'));
      if 'xw' > 'xws' then
        'd' := (1.0 + 'xw') / ((1.0 + 'xws') / 'd' + ('xw' - 'xws') / (if 'T' < 273.16 then 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.rho_pT'('p', 'T') else 'Modelica.Media.Water.IF97_Utilities.rho_pT'('p', 'T', 0)));
      end if;
    end if;
    annotation(derivative = 'Modelica.Media.Air.ReferenceMoistAir.Utilities.rho_pTX_der');
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.rho_pTX';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.h_pTX_der'
    input Real 'p';
    input Real 'T';
    input Real 'X'[:] = {0.01, 0.99};
    input Real 'p_der';
    input Real 'T_der';
    input Real 'X_der'[:];
    output Real 'h_der';
    Real 'xw';
    Real 'xws';
    Real 'xv';
    Real 'xw_der';
    Real 'xws_der';
    Real 'xv_der';
    Real 'pd';
    Real 'pd_der';
  algorithm
    'pd' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.pd_pTX'('p', 'T', 'X');
    'pd_der' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.pd_pTX_der'('p', 'T', 'X', 'p_der', 'T_der', 'X_der');
    'h_der' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.h_pT_der'('p' - 'pd', 'T', 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_pT'('p' - 'pd', 'T'), 'p_der' - 'pd_der', 'T_der');
    if 'X'[1] > 0.0 then
      'xw' := 'X'[1] / (1.0 - 'X'[1]);
      'xw_der' := 'X_der'[1] / (1.0 - 'X'[1]) ^ 2;
      'xws' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.xws_pT'('p', 'T');
      'xws_der' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.xws_pT_der'('p', 'T', 'p_der', 'T_der');
      'xv' := min('xw', 'xws');
      'xv_der' := if 'xw' > 'xws' then 'xws_der' else 'xw_der';
      'h_der' := 'h_der' + 'xv_der' * 'Modelica.Media.Air.ReferenceMoistAir.Utilities.IF97_new.h_pT'('pd', 'T', 0) + 'xv' * 'Modelica.Media.Air.ReferenceMoistAir.Utilities.IF97_new.h_pT_der'('pd', 'T', 0, 'pd_der', 'T_der');
      if 'xw' > 'xws' then
        if 'T' < 273.16 then
          'h_der' := 'h_der' + ('xw_der' - 'xws_der') * 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.h_pT'('p', 'T') + ('xw' - 'xws') * 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.h_pT_der'('p', 'T', 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.ice09BaseProp_pT'('p', 'T'), 'p_der', 'T_der');
        else
          'h_der' := 'h_der' + ('xw_der' - 'xws_der') * 'Modelica.Media.Water.IF97_Utilities.h_pT'('p', 'T', 0) + ('xw' - 'xws') * 'Modelica.Media.Water.IF97_Utilities.h_pT_der'('p', 'T', 'Modelica.Media.Water.IF97_Utilities.waterBaseProp_pT'('p', 'T', 0), 'p_der', 'T_der');
        end if;
      elseif 'T' >= 773.15 then
        'h_der' := 'h_der' + 'xw_der' * 'Modelica.Media.Air.ReferenceMoistAir.Utilities.h_dis_pTX'('p', 'T', 'X') + (1.0 + 'xw') * 'Modelica.Media.Air.ReferenceMoistAir.Utilities.h_dis_pTX_der'('p', 'T', 'X', 'p_der', 'T_der', 'X_der');
      end if;
      'h_der' := ('h_der' - 'Modelica.Media.Air.ReferenceMoistAir.Utilities.h_pTX'('p', 'T', 'X') * 'xw_der') / (1.0 + 'xw');
    end if;
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.h_pTX_der';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.rho_pTX_der'
    input Real 'p';
    input Real 'T';
    input Real 'X'[:] = {0.01, 0.99};
    input Real 'p_der';
    input Real 'T_der';
    input Real 'X_der'[:];
    output Real 'd_der';
    Real 'xw';
    Real 'xws';
    Real 'xw_der';
    Real 'xws_der';
    Real 'pd';
    Real 'pd_der';
    Real 'd';
    Real 'w';
    Real 'w_der';
  algorithm
    'pd' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.pd_pTX'('p', 'T', 'X');
    'pd_der' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.pd_pTX_der'('p', 'T', 'X', 'p_der', 'T_der', 'X_der');
    'd_der' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.rho_pT_der'('p' - 'pd', 'T', 'Modelica.Media.Air.ReferenceAir.Air_Utilities.airBaseProp_pT'('p' - 'pd', 'T'), 'p_der' - 'pd_der', 'T_der');
    if 'X'[1] > 0.0 then
      'd_der' := 'd_der' + (if 'T' < 273.16 then ('pd_der' - 'pd' * 'T_der' / 'T') / (461.51805 * 'T') else 'Modelica.Media.Air.ReferenceMoistAir.Utilities.IF97_new.rho_pT_der'('pd', 'T', 'pd_der', 'T_der'));
      'xw' := 'X'[1] / (1.0 - 'X'[1]);
      'xws' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.xws_pT'('p', 'T');
      if 'xw' > 'xws' then
        'xw_der' := 'X_der'[1] / (1.0 - 'X'[1]) ^ 2;
        'xws_der' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.xws_pT_der'('p', 'T', 'p_der', 'T_der');
        'd' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.rho_pT'('p' - 'pd', 'T') + (if 'T' < 273.16 then 'pd' / (461.51805 * 'T') else 'Modelica.Media.Air.ReferenceMoistAir.Utilities.IF97_new.rho_pT'('pd', 'T'));
        if 'T' < 273.16 then
          'w' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.rho_pT'('p', 'T');
          'w_der' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.rho_pT_der'('p', 'T', 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.ice09BaseProp_pT'('p', 'T'), 'p_der', 'T_der');
        else
          'w' := 'Modelica.Media.Water.IF97_Utilities.rho_pT'('p', 'T', 0);
          'w_der' := 'Modelica.Media.Water.IF97_Utilities.rho_pT_der'('p', 'T', 'Modelica.Media.Water.IF97_Utilities.waterBaseProp_pT'('p', 'T', 0), 'p_der', 'T_der');
        end if;
        // The volume of gas and droplets per mass of dry air, and its slope.
        'd_der' := ('xws_der' - (1.0 + 'xws') * 'd_der' / 'd') / 'd' + ('xw_der' - 'xws_der' - ('xw' - 'xws') * 'w_der' / 'w') / 'w';
        'd' := (1.0 + 'xws') / 'd' + ('xw' - 'xws') / 'w';
        'd_der' := ('xw_der' - (1.0 + 'xw') * 'd_der' / 'd') / 'd';
      end if;
    end if;
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.rho_pTX_der';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.u_pTX' "Internal energy of moist air"
    input Real 'p';
    input Real 'T';
    input Real 'X'[:] = {0.01, 0.99};
    output Real 'u';
  algorithm
    'u' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.h_pTX'('p', 'T', 'X') - 'p' / 'Modelica.Media.Air.ReferenceMoistAir.Utilities.rho_pTX'('p', 'T', 'X');
    annotation(derivative = 'Modelica.Media.Air.ReferenceMoistAir.Utilities.u_pTX_der');
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.u_pTX';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.u_pTX_der'
    input Real 'p';
    input Real 'T';
    input Real 'X'[:] = {0.01, 0.99};
    input Real 'p_der';
    input Real 'T_der';
    input Real 'X_der'[:];
    output Real 'u_der';
    Real 'd';
  algorithm
    'd' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.rho_pTX'('p', 'T', 'X');
    'u_der' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.h_pTX_der'('p', 'T', 'X', 'p_der', 'T_der', 'X_der') - ('p_der' * 'd' - 'p' * 'Modelica.Media.Air.ReferenceMoistAir.Utilities.rho_pTX_der'('p', 'T', 'X', 'p_der', 'T_der', 'X_der')) / 'd' ^ 2;
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.u_pTX_der';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.s_pTX' "Entropy of moist air"
    input Real 'p';
    input Real 'T';
    input Real 'X'[:] = {0.01, 0.99};
    output Real 's';
    Real 'xw';
    Real 'xws';
    Real 'pd';
  algorithm
    if 'X'[1] == 0.0 then
      's' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.s_pT'('p', 'T');
    else
      'pd' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.pd_pTX'('p', 'T', 'X');
      'xw' := 'X'[1] / (1.0 - 'X'[1]);
      'xws' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.xws_pT'('p', 'T');
      's' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.s_pT'('p' - 'pd', 'T') + min('xw', 'xws') * 'Modelica.Media.Air.ReferenceMoistAir.Utilities.IF97_new.s_pT'('pd', 'T', 0);
      if 'xw' > 'xws' then
        's' := 's' + ('xw' - 'xws') * (if 'T' < 273.16 then 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.s_pT'('p', 'T') else 'Modelica.Media.Water.IF97_Utilities.s_pT'('p', 'T', 0));
      elseif 'T' >= 773.15 then
        's' := 's' + (1.0 + 'xw') * 'Modelica.Media.Air.ReferenceMoistAir.Utilities.s_dis_pTX'('p', 'T', 'X');
      end if;
      's' := 's' / (1.0 + 'xw');
    end if;
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.s_pTX';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.cp_pTX' "Heat capacity of moist air at constant pressure; -1 in fog"
    input Real 'p';
    input Real 'T';
    input Real 'X'[:] = {0.01, 0.99};
    output Real 'cp';
    Real 'pd';
  algorithm
    'pd' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.pd_pTX'('p', 'T', 'X');
    if 'X'[1] > 0.0 and 'X'[1] / (1.0 - 'X'[1]) > 'Modelica.Media.Air.ReferenceMoistAir.Utilities.xws_pT'('p', 'T') then
      'cp' := -1.0;
    else
      'cp' := if 'X'[1] == 0.0 then 'Modelica.Media.Air.ReferenceAir.Air_Utilities.cp_pT'('p', 'T') else 'X'[1] * 'Modelica.Media.Air.ReferenceMoistAir.Utilities.IF97_new.cp_pT'('pd', 'T', 0) + 'X'[2] * 'Modelica.Media.Air.ReferenceAir.Air_Utilities.cp_pT'('p' - 'pd', 'T');
      if 'T' >= 773.15 then
        'cp' := 'cp' + 'Modelica.Media.Air.ReferenceMoistAir.Utilities.cp_dis_pTX'('p', 'T', 'X');
      end if;
    end if;
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.cp_pTX';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.cv_pTX' "Heat capacity of moist air at constant volume; -1 in fog"
    input Real 'p';
    input Real 'T';
    input Real 'X'[:] = {0.01, 0.99};
    output Real 'cv';
    Real 'pd';
  algorithm
    'pd' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.pd_pTX'('p', 'T', 'X');
    if 'X'[1] > 0.0 and 'X'[1] / (1.0 - 'X'[1]) > 'Modelica.Media.Air.ReferenceMoistAir.Utilities.xws_pT'('p', 'T') then
      'cv' := -1.0;
    else
      'cv' := if 'X'[1] == 0.0 then 'Modelica.Media.Air.ReferenceAir.Air_Utilities.cv_pT'('p', 'T') else 'X'[1] * 'Modelica.Media.Air.ReferenceMoistAir.Utilities.IF97_new.cv_pT'('pd', 'T', 0) + 'X'[2] * 'Modelica.Media.Air.ReferenceAir.Air_Utilities.cv_pT'('p' - 'pd', 'T');
    end if;
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.cv_pTX';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Inverses.T_phX' "Temperature at a pressure and an enthalpy, by the rule of false position with halved weights"
    input Real 'p';
    input Real 'h';
    input Real 'X'[:] = {0.01, 0.99};
    output Real 'T';
    Real 'a';
    Real 'b';
    Real 'fa';
    Real 'fb';
    Real 'f';
    Integer 'side';
  algorithm
    'a' := 190.0;
    'b' := 647.0;
    'fa' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.h_pTX'('p', 'a', 'X') - 'h';
    'fb' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.h_pTX'('p', 'b', 'X') - 'h';
    if 'fb' < 0.0 then
      'a' := 'b';
      'fa' := 'fb';
      'b' := 2000.0;
      'fb' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.h_pTX'('p', 'b', 'X') - 'h';
    end if;
    assert('fa' <= 0.0 and 'fb' >= 0.0, "no temperature of moist air has this enthalpy", AssertionLevel.error);
    'side' := 0;
    'T' := 'a';
    for 'k' in 1:200 loop
      'T' := if 'fb' > 'fa' then 'b' - 'fb' * ('b' - 'a') / ('fb' - 'fa') else 0.5 * ('a' + 'b');
      if not ('T' > 'a' and 'T' < 'b') then
        'T' := 0.5 * ('a' + 'b');
      end if;
      'f' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.h_pTX'('p', 'T', 'X') - 'h';
      if 'f' > 0.0 then
        'b' := 'T';
        'fb' := 'f';
        'fa' := if 'side' == 1 then 0.5 * 'fa' else 'fa';
        'side' := 1;
      else
        'a' := 'T';
        'fa' := 'f';
        'fb' := if 'side' == 2 then 0.5 * 'fb' else 'fb';
        'side' := 2;
      end if;
      if abs('f') <= 1e-9 * (1.0 + abs('h')) or 'b' - 'a' <= 1e-12 * 'T' then
        break;
      end if;
    end for;
    // A last small step of Newton's method, whose derivative is that of the root.
    'T' := 'T' - max(-1e-6 * 'T', min(1e-6 * 'T', ('Modelica.Media.Air.ReferenceMoistAir.Utilities.h_pTX'('p', 'T', 'X') - 'h') / 'Modelica.Media.Air.ReferenceMoistAir.Utilities.h_pTX_der'('p', 'T', 'X', 0.0, 1.0, {0.0, 0.0})));
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Inverses.T_phX';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Inverses.T_psX' "Temperature at a pressure and an entropy, by the rule of false position with halved weights"
    input Real 'p';
    input Real 's';
    input Real 'X'[:] = {0.01, 0.99};
    output Real 'T';
    Real 'a';
    Real 'b';
    Real 'fa';
    Real 'fb';
    Real 'f';
    Integer 'side';
  algorithm
    'a' := 190.0;
    'b' := 647.0;
    'fa' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.s_pTX'('p', 'a', 'X') - 's';
    'fb' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.s_pTX'('p', 'b', 'X') - 's';
    if 'fb' < 0.0 then
      'a' := 'b';
      'fa' := 'fb';
      'b' := 2000.0;
      'fb' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.s_pTX'('p', 'b', 'X') - 's';
    end if;
    assert('fa' <= 0.0 and 'fb' >= 0.0, "no temperature of moist air has this entropy", AssertionLevel.error);
    'side' := 0;
    'T' := 'a';
    for 'k' in 1:200 loop
      'T' := if 'fb' > 'fa' then 'b' - 'fb' * ('b' - 'a') / ('fb' - 'fa') else 0.5 * ('a' + 'b');
      if not ('T' > 'a' and 'T' < 'b') then
        'T' := 0.5 * ('a' + 'b');
      end if;
      'f' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.s_pTX'('p', 'T', 'X') - 's';
      if 'f' > 0.0 then
        'b' := 'T';
        'fb' := 'f';
        'fa' := if 'side' == 1 then 0.5 * 'fa' else 'fa';
        'side' := 1;
      else
        'a' := 'T';
        'fa' := 'f';
        'fb' := if 'side' == 2 then 0.5 * 'fb' else 'fb';
        'side' := 2;
      end if;
      if abs('f') <= 1e-11 * (1.0 + abs('s')) or 'b' - 'a' <= 1e-12 * 'T' then
        break;
      end if;
    end for;
    'T' := 'T' - max(-1e-6 * 'T', min(1e-6 * 'T', 'T' * ('Modelica.Media.Air.ReferenceMoistAir.Utilities.s_pTX'('p', 'T', 'X') - 's') / 'Modelica.Media.Air.ReferenceMoistAir.Utilities.h_pTX_der'('p', 'T', 'X', 0.0, 1.0, {0.0, 0.0})));
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Inverses.T_psX';

  function 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Inverses.p_dTX' "Pressure at a density and a temperature, by the rule of false position with halved weights"
    input Real 'd';
    input Real 'T';
    input Real 'X'[:] = {0.01, 0.99};
    output Real 'p';
    Real 'a';
    Real 'b';
    Real 'fa';
    Real 'fb';
    Real 'f';
    Integer 'side';
  algorithm
    'a' := 611.2;
    'b' := 1e7;
    'fa' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.rho_pTX'('a', 'T', 'X') - 'd';
    'fb' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.rho_pTX'('b', 'T', 'X') - 'd';
    assert('fa' <= 0.0 and 'fb' >= 0.0, "no pressure of moist air gives this density", AssertionLevel.error);
    'side' := 0;
    'p' := 'a';
    for 'k' in 1:200 loop
      'p' := if 'fb' > 'fa' then 'b' - 'fb' * ('b' - 'a') / ('fb' - 'fa') else 0.5 * ('a' + 'b');
      if not ('p' > 'a' and 'p' < 'b') then
        'p' := 0.5 * ('a' + 'b');
      end if;
      'f' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.rho_pTX'('p', 'T', 'X') - 'd';
      if 'f' > 0.0 then
        'b' := 'p';
        'fb' := 'f';
        'fa' := if 'side' == 1 then 0.5 * 'fa' else 'fa';
        'side' := 1;
      else
        'a' := 'p';
        'fa' := 'f';
        'fb' := if 'side' == 2 then 0.5 * 'fb' else 'fb';
        'side' := 2;
      end if;
      if abs('f') <= 1e-12 * 'd' or 'b' - 'a' <= 1e-12 * 'p' then
        break;
      end if;
    end for;
    'p' := 'p' - max(-1e-6 * 'p', min(1e-6 * 'p', ('Modelica.Media.Air.ReferenceMoistAir.Utilities.rho_pTX'('p', 'T', 'X') - 'd') / 'Modelica.Media.Air.ReferenceMoistAir.Utilities.rho_pTX_der'('p', 'T', 'X', 1.0, 0.0, {0.0, 0.0})));
  end 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Inverses.p_dTX';

  record 'Modelica.Media.Air.ReferenceMoistAir.ThermodynamicState'
    Real 'p';
    Real 'T';
    Real 'X'[2];
  end 'Modelica.Media.Air.ReferenceMoistAir.ThermodynamicState';

  function 'Modelica.Media.Air.ReferenceMoistAir.massFractionSaturation' "Mass fractions at saturation"
    input 'Modelica.Media.Air.ReferenceMoistAir.ThermodynamicState' 'state';
    output Real 'Xsat'[2];
    Real 'q';
  algorithm
    'q' := 'state'.'p' / 'Modelica.Media.Air.ReferenceMoistAir.Utilities.pds_pT'('state'.'p', 'state'.'T') - 1.0;
    'Xsat' := {0.6221042453709779 / ('q' + 0.6221042453709779), 'q' / ('q' + 0.6221042453709779)};
  end 'Modelica.Media.Air.ReferenceMoistAir.massFractionSaturation';

  function 'Modelica.Media.Air.ReferenceMoistAir.saturationPressureLiquid' "Saturation pressure over water"
    input 'Modelica.Media.Air.ReferenceMoistAir.ThermodynamicState' 'state';
    output Real 'psat';
  algorithm
    'psat' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Water95_Utilities.psat'('state'.'T');
  end 'Modelica.Media.Air.ReferenceMoistAir.saturationPressureLiquid';

  function 'Modelica.Media.Air.ReferenceMoistAir.sublimationPressureIce' "Saturation pressure over ice"
    input 'Modelica.Media.Air.ReferenceMoistAir.ThermodynamicState' 'state';
    output Real 'psat';
  algorithm
    'psat' := 'Modelica.Media.Air.ReferenceMoistAir.Utilities.Ice09_Utilities.Basic.psub'('state'.'T');
  end 'Modelica.Media.Air.ReferenceMoistAir.sublimationPressureIce';
end 'Library';
