//! base 0.1.0
// The refrigerant R134a by the equation of state of Tillner-Roth and Baehr (1994), by the interfaces of Modelica.Media.R134a: the
// boundary of the phases is found from equal Gibbs energies instead of splines.
package 'Library'
  record 'Modelica.Media.R134a.Common.PhaseBoundaryProperties'
    Real 'd';
    Real 'h';
    Real 'u';
    Real 's';
    Real 'cp';
    Real 'cv';
    Real 'kappa';
    Real 'a';
    Real 'beta';
    Real 'gamma';
    Real 'pt';
    Real 'pd';
  end 'Modelica.Media.R134a.Common.PhaseBoundaryProperties';

  record 'Modelica.Media.R134a.Common.InverseDerivatives_rhoT'
    Integer 'phase';
    Real 'p';
    Real 'T';
    Real 'rho';
    Real 'h';
    Real 'cv';
    Real 'pt';
    Real 'pd';
    Real 'dpT';
  end 'Modelica.Media.R134a.Common.InverseDerivatives_rhoT';

  record 'Modelica.Media.R134a.R134a_ph.SaturationProperties'
    Real 'psat';
    Real 'Tsat';
  end 'Modelica.Media.R134a.R134a_ph.SaturationProperties';

  record 'Modelica.Media.Common.NewtonDerivatives_ph'
    Real 'p';
    Real 'h';
    Real 'pd';
    Real 'pt';
    Real 'hd';
    Real 'ht';
  end 'Modelica.Media.Common.NewtonDerivatives_ph';

  record 'Modelica.Media.Common.NewtonDerivatives_ps'
    Real 'p';
    Real 's';
    Real 'pd';
    Real 'pt';
    Real 'sd';
    Real 'st';
  end 'Modelica.Media.Common.NewtonDerivatives_ps';

  record 'Modelica.Media.Common.NewtonDerivatives_pT'
    Real 'p';
    Real 'pd';
  end 'Modelica.Media.Common.NewtonDerivatives_pT';

  function 'Modelica.Media.Common.Helmholtz_ph' "Pressure and enthalpy and their slopes from a Helmholtz function"
    input 'Modelica.Media.Common.HelmholtzDerivs' 'f';
    output 'Modelica.Media.Common.NewtonDerivatives_ph' 'nderivs';
  algorithm
    'nderivs'.'p' := 'f'.'d' * 'f'.'R_s' * 'f'.'T' * 'f'.'delta' * 'f'.'fdelta';
    'nderivs'.'h' := 'f'.'R_s' * 'f'.'T' * ('f'.'tau' * 'f'.'ftau' + 'f'.'delta' * 'f'.'fdelta');
    'nderivs'.'pd' := 'f'.'R_s' * 'f'.'T' * 'f'.'delta' * (2.0 * 'f'.'fdelta' + 'f'.'delta' * 'f'.'fdeltadelta');
    'nderivs'.'pt' := 'f'.'R_s' * 'f'.'d' * 'f'.'delta' * ('f'.'fdelta' - 'f'.'tau' * 'f'.'fdeltatau');
    'nderivs'.'ht' := 'f'.'R_s' * ('f'.'delta' * 'f'.'fdelta' - 'f'.'tau' ^ 2 * 'f'.'ftautau' - 'f'.'delta' * 'f'.'tau' * 'f'.'fdeltatau');
    'nderivs'.'hd' := 'f'.'R_s' * 'f'.'T' / 'f'.'d' * 'f'.'delta' * ('f'.'tau' * 'f'.'fdeltatau' + 'f'.'fdelta' + 'f'.'delta' * 'f'.'fdeltadelta');
  end 'Modelica.Media.Common.Helmholtz_ph';

  function 'Modelica.Media.Common.Helmholtz_ps' "Pressure and entropy and their slopes from a Helmholtz function"
    input 'Modelica.Media.Common.HelmholtzDerivs' 'f';
    output 'Modelica.Media.Common.NewtonDerivatives_ps' 'nderivs';
  algorithm
    'nderivs'.'p' := 'f'.'d' * 'f'.'R_s' * 'f'.'T' * 'f'.'delta' * 'f'.'fdelta';
    'nderivs'.'s' := 'f'.'R_s' * ('f'.'tau' * 'f'.'ftau' - 'f'.'f');
    'nderivs'.'pd' := 'f'.'R_s' * 'f'.'T' * 'f'.'delta' * (2.0 * 'f'.'fdelta' + 'f'.'delta' * 'f'.'fdeltadelta');
    'nderivs'.'pt' := 'f'.'R_s' * 'f'.'d' * 'f'.'delta' * ('f'.'fdelta' - 'f'.'tau' * 'f'.'fdeltatau');
    'nderivs'.'st' := -'f'.'R_s' / 'f'.'T' * 'f'.'tau' ^ 2 * 'f'.'ftautau';
    'nderivs'.'sd' := 'f'.'R_s' / 'f'.'d' * 'f'.'delta' * ('f'.'tau' * 'f'.'fdeltatau' - 'f'.'fdelta');
  end 'Modelica.Media.Common.Helmholtz_ps';

  function 'Modelica.Media.Common.Helmholtz_pT' "Pressure and its slope over the density from a Helmholtz function"
    input 'Modelica.Media.Common.HelmholtzDerivs' 'f';
    output 'Modelica.Media.Common.NewtonDerivatives_pT' 'nderivs';
  algorithm
    'nderivs'.'p' := 'f'.'d' * 'f'.'R_s' * 'f'.'T' * 'f'.'delta' * 'f'.'fdelta';
    'nderivs'.'pd' := 'f'.'R_s' * 'f'.'T' * 'f'.'delta' * (2.0 * 'f'.'fdelta' + 'f'.'delta' * 'f'.'fdeltadelta');
  end 'Modelica.Media.Common.Helmholtz_pT';

  function 'Modelica.Media.R134a.Common.CubicSplineEval' "Value of a cubic polynomial"
    input Real 'x';
    input Real 'coefs'[4];
    output Real 'y';
  algorithm
    'y' := 'coefs'[4] + 'x' * ('coefs'[3] + 'x' * ('coefs'[2] + 'x' * 'coefs'[1]));
  end 'Modelica.Media.R134a.Common.CubicSplineEval';

  function 'Modelica.Media.R134a.Common.CubicSplineDerEval' "Slope of a cubic polynomial"
    input Real 'x';
    input Real 'coefs'[4];
    output Real 'yder';
  algorithm
    'yder' := 'coefs'[3] + 'x' * (2.0 * 'coefs'[2] + 3.0 * 'x' * 'coefs'[1]);
  end 'Modelica.Media.R134a.Common.CubicSplineDerEval';

  function 'Modelica.Media.R134a.Common.FindInterval' "Interval of a grid that holds a number, by halving"
    input Real 'x';
    input Real 'breaks'[:];
    output Integer 'i';
    output Integer 'error';
    Integer 'n';
    Integer 'm';
  algorithm
    'n' := size('breaks', 1) - 1;
    'error' := if 'x' < 'breaks'[1] or 'x' >= 'breaks'['n'] then 1 else 0;
    'i' := 1;
    while 'n' - 'i' > 1 loop
      'm' := div('i' + 'n', 2);
      if 'x' < 'breaks'['m'] then
        'n' := 'm';
      else
        'i' := 'm';
      end if;
    end while;
  end 'Modelica.Media.R134a.Common.FindInterval';

  function 'Modelica.Media.R134a.Common.cv2Phase' "Heat capacity of a mixture of two phases at constant volume, and the slope of the saturation pressure"
    input 'Modelica.Media.R134a.Common.PhaseBoundaryProperties' 'liq';
    input 'Modelica.Media.R134a.Common.PhaseBoundaryProperties' 'vap';
    input Real 'x';
    input Real 'T';
    input Real 'p';
    output Real 'cv';
    output Real 'dpT';
    Real 'dxv';
    Real 'dvl';
    Real 'dvv';
    Real 'dul';
    Real 'duv';
  algorithm
    'dxv' := if 'liq'.'d' <> 'vap'.'d' then 'liq'.'d' * 'vap'.'d' / ('liq'.'d' - 'vap'.'d') else 0.0;
    'dpT' := ('vap'.'s' - 'liq'.'s') * 'dxv';
    'dvl' := ('liq'.'pt' - 'dpT') / ('liq'.'pd' * 'liq'.'d' ^ 2);
    'dvv' := ('vap'.'pt' - 'dpT') / ('vap'.'pd' * 'vap'.'d' ^ 2);
    'dul' := 'liq'.'cv' + ('T' * 'liq'.'pt' - 'p') * 'dvl';
    'duv' := 'vap'.'cv' + ('T' * 'vap'.'pt' - 'p') * 'dvv';
    'cv' := 'dul' + 'x' * ('duv' - 'dul') - 'dxv' * ('dvl' + 'x' * ('dvv' - 'dvl')) * ('vap'.'u' - 'liq'.'u');
  end 'Modelica.Media.R134a.Common.cv2Phase';

  function 'Modelica.Media.R134a.Common.helmholtzToBoundaryProps' "Properties of a phase from its Helmholtz function"
    input 'Modelica.Media.Common.HelmholtzDerivs' 'f';
    output 'Modelica.Media.R134a.Common.PhaseBoundaryProperties' 'sat';
    Real 'z' = 'f'.'delta' * ('f'.'fdelta' - 'f'.'tau' * 'f'.'fdeltatau');
    Real 'w' = 'f'.'delta' * (2.0 * 'f'.'fdelta' + 'f'.'delta' * 'f'.'fdeltadelta');
  algorithm
    'sat'.'d' := 'f'.'d';
    'sat'.'h' := 'f'.'R_s' * 'f'.'T' * ('f'.'tau' * 'f'.'ftau' + 'f'.'delta' * 'f'.'fdelta');
    'sat'.'s' := 'f'.'R_s' * ('f'.'tau' * 'f'.'ftau' - 'f'.'f');
    'sat'.'u' := 'f'.'R_s' * 'f'.'T' * 'f'.'tau' * 'f'.'ftau';
    'sat'.'cv' := -'f'.'R_s' * 'f'.'tau' ^ 2 * 'f'.'ftautau';
    'sat'.'cp' := 'sat'.'cv' + 'f'.'R_s' * 'z' ^ 2 / 'w';
    'sat'.'pt' := 'f'.'R_s' * 'f'.'d' * 'z';
    'sat'.'pd' := 'f'.'R_s' * 'f'.'T' * 'w';
    'sat'.'a' := sqrt(abs('f'.'R_s' * 'f'.'T' * ('w' - 'z' ^ 2 / ('f'.'tau' ^ 2 * 'f'.'ftautau'))));
    'sat'.'kappa' := 1.0 / ('f'.'d' * 'sat'.'pd');
    'sat'.'beta' := 'sat'.'pt' * 'sat'.'kappa';
    'sat'.'gamma' := 'sat'.'a' ^ 2 / ('f'.'R_s' * 'f'.'T');
  end 'Modelica.Media.R134a.Common.helmholtzToBoundaryProps';

  function 'Modelica.Media.R134a.R134a_ph.fid_R134a' "Helmholtz function of the ideal gas"
    input Real 'delta';
    input Real 'tau';
    output 'Modelica.Media.Common.HelmholtzDerivs' 'fid';
  algorithm
    'fid'.'d' := 508.0 * 'delta';
    'fid'.'T' := 374.18 / 'tau';
    'fid'.'R_s' := 81.4888564372;
    'fid'.'delta' := 'delta';
    'fid'.'tau' := 'tau';
    'fid'.'f' := log(abs('delta')) - 1.019535 + 9.047135 * 'tau' - 1.629789 * log(abs('tau')) - 9.723916 * 'tau' ^ (-0.5) - 3.927170 * 'tau' ^ (-0.75);
    'fid'.'fdelta' := 1.0 / 'delta';
    'fid'.'fdeltadelta' := -1.0 / 'delta' ^ 2;
    'fid'.'ftau' := 9.047135 - 1.629789 / 'tau' + 0.5 * 9.723916 * 'tau' ^ (-1.5) + 0.75 * 3.927170 * 'tau' ^ (-1.75);
    'fid'.'ftautau' := 1.629789 / 'tau' ^ 2 - 0.75 * 9.723916 * 'tau' ^ (-2.5) - 1.3125 * 3.927170 * 'tau' ^ (-2.75);
    'fid'.'fdeltatau' := 0.0;
  end 'Modelica.Media.R134a.R134a_ph.fid_R134a';

  function 'Modelica.Media.R134a.R134a_ph.fres_R134a' "Residual Helmholtz function"
    input Real 'delta';
    input Real 'tau';
    output 'Modelica.Media.Common.HelmholtzDerivs' 'f';
    constant Real 'n'[21] = {0.05586817, 0.498223, 0.02458698, 0.0008570145, 0.0004788584, -1.800808, 0.2671641, -0.04781652, 0.01423987, 0.3324062, -0.007485907, 0.0001017263, -0.5184567, -0.08692288, 0.2057144, -0.005000457, 0.0004603262, -0.003497836, 0.006995038, -0.01452184, -0.0001285458};
    constant Integer 'd'[21] = {2, 1, 3, 6, 6, 1, 1, 2, 5, 2, 2, 4, 1, 4, 1, 2, 4, 1, 5, 3, 10};
    constant Real 't'[21] = {-0.5, 0.0, 0.0, 0.0, 1.5, 1.5, 2.0, 2.0, 1.0, 3.0, 5.0, 1.0, 5.0, 5.0, 6.0, 10.0, 10.0, 10.0, 18.0, 22.0, 50.0};
    constant Integer 'c'[21] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 4};
    Real 'w';
    Real 'q';
    Real 'k';
  algorithm
    'f'.'d' := 508.0 * 'delta';
    'f'.'T' := 374.18 / 'tau';
    'f'.'R_s' := 81.4888564372;
    'f'.'delta' := abs('delta');
    'f'.'tau' := abs('tau');
    'f'.'f' := 0.0;
    'f'.'fdelta' := 0.0;
    'f'.'fdeltadelta' := 0.0;
    'f'.'ftau' := 0.0;
    'f'.'ftautau' := 0.0;
    'f'.'fdeltatau' := 0.0;
    for 'i' in 1:21 loop
      'w' := if 'c'['i'] == 0 then 0.0 else 'f'.'delta' ^ 'c'['i'];
      'q' := 'd'['i'] - 'c'['i'] * 'w';
      'k' := 'n'['i'] * 'f'.'delta' ^ 'd'['i'] * 'f'.'tau' ^ 't'['i'] * exp(-'w');
      'f'.'f' := 'f'.'f' + 'k';
      'f'.'fdelta' := 'f'.'fdelta' + 'k' * 'q' / 'delta';
      'f'.'fdeltadelta' := 'f'.'fdeltadelta' + 'k' * ('q' * ('q' - 1.0) - 'c'['i'] ^ 2 * 'w') / 'delta' ^ 2;
      'f'.'ftau' := 'f'.'ftau' + 'k' * 't'['i'] / 'tau';
      'f'.'ftautau' := 'f'.'ftautau' + 'k' * 't'['i'] * ('t'['i'] - 1.0) / 'tau' ^ 2;
      'f'.'fdeltatau' := 'f'.'fdeltatau' + 'k' * 'q' * 't'['i'] / ('delta' * 'tau');
    end for;
  end 'Modelica.Media.R134a.R134a_ph.fres_R134a';

  function 'Modelica.Media.R134a.R134a_ph.f_R134a' "Helmholtz function"
    input Real 'd';
    input Real 'T';
    output 'Modelica.Media.Common.HelmholtzDerivs' 'f';
    'Modelica.Media.Common.HelmholtzDerivs' 'fid';
  algorithm
    'fid' := 'Modelica.Media.R134a.R134a_ph.fid_R134a'('d' / 508.0, 374.18 / 'T');
    'f' := 'Modelica.Media.R134a.R134a_ph.fres_R134a'('d' / 508.0, 374.18 / 'T');
    'f'.'f' := 'f'.'f' + 'fid'.'f';
    'f'.'fdelta' := 'f'.'fdelta' + 'fid'.'fdelta';
    'f'.'fdeltadelta' := 'f'.'fdeltadelta' + 'fid'.'fdeltadelta';
    'f'.'ftau' := 'f'.'ftau' + 'fid'.'ftau';
    'f'.'ftautau' := 'f'.'ftautau' + 'fid'.'ftautau';
    'f'.'d' := 'd';
    'f'.'T' := 'T';
  end 'Modelica.Media.R134a.R134a_ph.f_R134a';

  function 'Modelica.Media.R134a.R134a_ph.densityNear' "Density at a pressure and a temperature, by Newton's method with steps of at most a fifth"
    input Real 'p';
    input Real 'T';
    input Real 'start';
    output Real 'd';
    'Modelica.Media.Common.NewtonDerivatives_pT' 'n';
    Real 'e';
  algorithm
    'd' := 'start';
    for 'k' in 1:100 loop
      'n' := 'Modelica.Media.Common.Helmholtz_pT'('Modelica.Media.R134a.R134a_ph.f_R134a'('d', 'T'));
      'e' := if 'n'.'pd' > 0.0 then max(-0.2 * 'd', min(0.2 * 'd', ('n'.'p' - 'p') / 'n'.'pd')) elseif 'd' > 508.0 then -0.02 * 'd' else 0.02 * 'd';
      'd' := 'd' - 'e';
      if abs('e') <= 1e-12 * 'd' then
        break;
      end if;
    end for;
  end 'Modelica.Media.R134a.R134a_ph.densityNear';

  function 'Modelica.Media.R134a.R134a_ph.boundaryOf_p' "Temperature and densities of the phases in equilibrium, where their Gibbs energies are equal; near the critical point those of 4 MPa"
    input Real 'p';
    output Real 'T';
    output Real 'dl';
    output Real 'dv';
    'Modelica.Media.R134a.Common.PhaseBoundaryProperties' 'l';
    'Modelica.Media.R134a.Common.PhaseBoundaryProperties' 'v';
    Real 'q' = min('p', 4.0e6);
    Real 'e';
  algorithm
    'T' := 374.18 / (1.0 - log('q' / 4.0563e6) / 7.0);
    'dl' := 508.0 * (1.0 + 2.0 * max(0.0, 1.0 - 'T' / 374.18) ^ 0.35);
    'dv' := 'q' / (81.4888564372 * 'T');
    for 'k' in 1:50 loop
      'dl' := 'Modelica.Media.R134a.R134a_ph.densityNear'('q', 'T', 'dl');
      'dv' := 'Modelica.Media.R134a.R134a_ph.densityNear'('q', 'T', 'dv');
      'l' := 'Modelica.Media.R134a.Common.helmholtzToBoundaryProps'('Modelica.Media.R134a.R134a_ph.f_R134a'('dl', 'T'));
      'v' := 'Modelica.Media.R134a.Common.helmholtzToBoundaryProps'('Modelica.Media.R134a.R134a_ph.f_R134a'('dv', 'T'));
      'e' := ('l'.'h' - 'v'.'h' - 'T' * ('l'.'s' - 'v'.'s')) / ('v'.'s' - 'l'.'s');
      'T' := min(373.6, 'T' - max(-10.0, min(10.0, 'e')));
      if abs('e') <= 1e-10 * 'T' then
        break;
      end if;
    end for;
    'dl' := 'Modelica.Media.R134a.R134a_ph.densityNear'('q', 'T', 'dl');
    'dv' := 'Modelica.Media.R134a.R134a_ph.densityNear'('q', 'T', 'dv');
  end 'Modelica.Media.R134a.R134a_ph.boundaryOf_p';

  function 'Modelica.Media.R134a.R134a_ph.saturationTemperature' "Saturation temperature"
    input Real 'p';
    output Real 'T';
    Real 'dl';
    Real 'dv';
  algorithm
    ('T', 'dl', 'dv') := 'Modelica.Media.R134a.R134a_ph.boundaryOf_p'('p');
    annotation(derivative = 'Modelica.Media.R134a.R134a_ph.saturationTemperature_der_p');
  end 'Modelica.Media.R134a.R134a_ph.saturationTemperature';

  function 'Modelica.Media.R134a.R134a_ph.slope' "Slope of the saturation pressure over the temperature"
    input Real 'T';
    input Real 'dl';
    input Real 'dv';
    output Real 'dpT';
    'Modelica.Media.R134a.Common.PhaseBoundaryProperties' 'l';
    'Modelica.Media.R134a.Common.PhaseBoundaryProperties' 'v';
  algorithm
    'l' := 'Modelica.Media.R134a.Common.helmholtzToBoundaryProps'('Modelica.Media.R134a.R134a_ph.f_R134a'('dl', 'T'));
    'v' := 'Modelica.Media.R134a.Common.helmholtzToBoundaryProps'('Modelica.Media.R134a.R134a_ph.f_R134a'('dv', 'T'));
    'dpT' := ('v'.'s' - 'l'.'s') * 'dl' * 'dv' / ('dl' - 'dv');
  end 'Modelica.Media.R134a.R134a_ph.slope';

  function 'Modelica.Media.R134a.R134a_ph.saturationTemperature_derp' "Slope of the saturation temperature over the pressure"
    input Real 'p';
    output Real 'dTp';
    Real 'T';
    Real 'dl';
    Real 'dv';
  algorithm
    ('T', 'dl', 'dv') := 'Modelica.Media.R134a.R134a_ph.boundaryOf_p'('p');
    'dTp' := 1.0 / 'Modelica.Media.R134a.R134a_ph.slope'('T', 'dl', 'dv');
  end 'Modelica.Media.R134a.R134a_ph.saturationTemperature_derp';

  function 'Modelica.Media.R134a.R134a_ph.saturationTemperature_der_p'
    input Real 'p';
    input Real 'der_p';
    output Real 'der_Tsat';
  algorithm
    'der_Tsat' := 'Modelica.Media.R134a.R134a_ph.saturationTemperature_derp'('p') * 'der_p';
  end 'Modelica.Media.R134a.R134a_ph.saturationTemperature_der_p';

  function 'Modelica.Media.R134a.R134a_ph.saturationPressure' "Saturation pressure, by Newton's method over the saturation temperature"
    input Real 'T';
    output Real 'p';
    Real 't';
    Real 'dl';
    Real 'dv';
    Real 'e';
  algorithm
    'p' := 4.0563e6 * exp(-7.0 * (374.18 / 'T' - 1.0));
    for 'k' in 1:30 loop
      ('t', 'dl', 'dv') := 'Modelica.Media.R134a.R134a_ph.boundaryOf_p'('p');
      'e' := max(-0.5 * 'p', min(0.5 * 'p', ('t' - 'T') * 'Modelica.Media.R134a.R134a_ph.slope'('t', 'dl', 'dv')));
      'p' := max(100.0, min(4.0e6, 'p' - 'e'));
      if abs('e') <= 1e-10 * 'p' then
        break;
      end if;
    end for;
  end 'Modelica.Media.R134a.R134a_ph.saturationPressure';

  function 'Modelica.Media.R134a.R134a_ph.setSat_T' "Saturation at a temperature"
    input Real 'T';
    output 'Modelica.Media.R134a.R134a_ph.SaturationProperties' 'sat';
  algorithm
    'sat'.'Tsat' := 'T';
    'sat'.'psat' := 'Modelica.Media.R134a.R134a_ph.saturationPressure'('T');
  end 'Modelica.Media.R134a.R134a_ph.setSat_T';

  function 'Modelica.Media.R134a.R134a_ph.setSat_p' "Saturation at a pressure"
    input Real 'p';
    output 'Modelica.Media.R134a.R134a_ph.SaturationProperties' 'sat';
  algorithm
    'sat'.'psat' := 'p';
    'sat'.'Tsat' := 'Modelica.Media.R134a.R134a_ph.saturationTemperature'('p');
  end 'Modelica.Media.R134a.R134a_ph.setSat_p';

  function 'Modelica.Media.R134a.R134a_ph.bubbleDensity' "Density of the boiling liquid"
    input 'Modelica.Media.R134a.R134a_ph.SaturationProperties' 'sat';
    output Real 'dl';
    Real 'T';
    Real 'rl';
    Real 'rv';
  algorithm
    ('T', 'rl', 'rv') := 'Modelica.Media.R134a.R134a_ph.boundaryOf_p'('sat'.'psat');
    'dl' := ('Modelica.Media.R134a.Common.helmholtzToBoundaryProps'('Modelica.Media.R134a.R134a_ph.f_R134a'('rl', 'T'))).d;
    annotation(derivative = 'Modelica.Media.R134a.R134a_ph.dBubbleDensity_dPressure_der_sat');
  end 'Modelica.Media.R134a.R134a_ph.bubbleDensity';

  function 'Modelica.Media.R134a.R134a_ph.dBubbleDensity_dPressure' "Its slope over the pressure, along the boundary"
    input 'Modelica.Media.R134a.R134a_ph.SaturationProperties' 'sat';
    output Real 'ddldp';
    'Modelica.Media.R134a.Common.PhaseBoundaryProperties' 'b';
    Real 'T';
    Real 'rl';
    Real 'rv';
    Real 'k';
    Real 'dd';
  algorithm
    ('T', 'rl', 'rv') := 'Modelica.Media.R134a.R134a_ph.boundaryOf_p'('sat'.'psat');
    'b' := 'Modelica.Media.R134a.Common.helmholtzToBoundaryProps'('Modelica.Media.R134a.R134a_ph.f_R134a'('rl', 'T'));
    'k' := 'Modelica.Media.R134a.R134a_ph.slope'('T', 'rl', 'rv');
    'dd' := (1.0 - 'b'.'pt' / 'k') / 'b'.'pd';
    'ddldp' := 'dd';
  end 'Modelica.Media.R134a.R134a_ph.dBubbleDensity_dPressure';

  function 'Modelica.Media.R134a.R134a_ph.dBubbleDensity_dPressure_der_sat'
    input 'Modelica.Media.R134a.R134a_ph.SaturationProperties' 'sat';
    input 'Modelica.Media.R134a.R134a_ph.SaturationProperties' 'der_sat';
    output Real 'der_ddldp';
  algorithm
    'der_ddldp' := 'Modelica.Media.R134a.R134a_ph.dBubbleDensity_dPressure'('sat') * 'der_sat'.'psat';
  end 'Modelica.Media.R134a.R134a_ph.dBubbleDensity_dPressure_der_sat';

  function 'Modelica.Media.R134a.R134a_ph.bubbleEnthalpy' "Enthalpy of the boiling liquid"
    input 'Modelica.Media.R134a.R134a_ph.SaturationProperties' 'sat';
    output Real 'hl';
    Real 'T';
    Real 'rl';
    Real 'rv';
  algorithm
    ('T', 'rl', 'rv') := 'Modelica.Media.R134a.R134a_ph.boundaryOf_p'('sat'.'psat');
    'hl' := ('Modelica.Media.R134a.Common.helmholtzToBoundaryProps'('Modelica.Media.R134a.R134a_ph.f_R134a'('rl', 'T'))).h;
    annotation(derivative = 'Modelica.Media.R134a.R134a_ph.dBubbleEnthalpy_dPressure_der_sat');
  end 'Modelica.Media.R134a.R134a_ph.bubbleEnthalpy';

  function 'Modelica.Media.R134a.R134a_ph.dBubbleEnthalpy_dPressure' "Its slope over the pressure, along the boundary"
    input 'Modelica.Media.R134a.R134a_ph.SaturationProperties' 'sat';
    output Real 'dhldp';
    'Modelica.Media.R134a.Common.PhaseBoundaryProperties' 'b';
    Real 'T';
    Real 'rl';
    Real 'rv';
    Real 'k';
    Real 'dd';
  algorithm
    ('T', 'rl', 'rv') := 'Modelica.Media.R134a.R134a_ph.boundaryOf_p'('sat'.'psat');
    'b' := 'Modelica.Media.R134a.Common.helmholtzToBoundaryProps'('Modelica.Media.R134a.R134a_ph.f_R134a'('rl', 'T'));
    'k' := 'Modelica.Media.R134a.R134a_ph.slope'('T', 'rl', 'rv');
    'dd' := (1.0 - 'b'.'pt' / 'k') / 'b'.'pd';
    'dhldp' := ('b'.'cv' + 'b'.'pt' / 'b'.'d') / 'k' + ('b'.'pd' - 'T' * 'b'.'pt' / 'b'.'d') / 'b'.'d' * 'dd';
  end 'Modelica.Media.R134a.R134a_ph.dBubbleEnthalpy_dPressure';

  function 'Modelica.Media.R134a.R134a_ph.dBubbleEnthalpy_dPressure_der_sat'
    input 'Modelica.Media.R134a.R134a_ph.SaturationProperties' 'sat';
    input 'Modelica.Media.R134a.R134a_ph.SaturationProperties' 'der_sat';
    output Real 'der_dhldp';
  algorithm
    'der_dhldp' := 'Modelica.Media.R134a.R134a_ph.dBubbleEnthalpy_dPressure'('sat') * 'der_sat'.'psat';
  end 'Modelica.Media.R134a.R134a_ph.dBubbleEnthalpy_dPressure_der_sat';

  function 'Modelica.Media.R134a.R134a_ph.bubbleEntropy' "Entropy of the boiling liquid"
    input 'Modelica.Media.R134a.R134a_ph.SaturationProperties' 'sat';
    output Real 'sl';
    Real 'T';
    Real 'rl';
    Real 'rv';
  algorithm
    ('T', 'rl', 'rv') := 'Modelica.Media.R134a.R134a_ph.boundaryOf_p'('sat'.'psat');
    'sl' := ('Modelica.Media.R134a.Common.helmholtzToBoundaryProps'('Modelica.Media.R134a.R134a_ph.f_R134a'('rl', 'T'))).s;
    annotation(derivative = 'Modelica.Media.R134a.R134a_ph.dBubbleEntropy_dPressure_der_sat');
  end 'Modelica.Media.R134a.R134a_ph.bubbleEntropy';

  function 'Modelica.Media.R134a.R134a_ph.dBubbleEntropy_dPressure' "Its slope over the pressure, along the boundary"
    input 'Modelica.Media.R134a.R134a_ph.SaturationProperties' 'sat';
    output Real 'dsldp';
    'Modelica.Media.R134a.Common.PhaseBoundaryProperties' 'b';
    Real 'T';
    Real 'rl';
    Real 'rv';
    Real 'k';
    Real 'dd';
  algorithm
    ('T', 'rl', 'rv') := 'Modelica.Media.R134a.R134a_ph.boundaryOf_p'('sat'.'psat');
    'b' := 'Modelica.Media.R134a.Common.helmholtzToBoundaryProps'('Modelica.Media.R134a.R134a_ph.f_R134a'('rl', 'T'));
    'k' := 'Modelica.Media.R134a.R134a_ph.slope'('T', 'rl', 'rv');
    'dd' := (1.0 - 'b'.'pt' / 'k') / 'b'.'pd';
    'dsldp' := 'b'.'cv' / ('T' * 'k') - 'b'.'pt' / 'b'.'d' ^ 2 * 'dd';
  end 'Modelica.Media.R134a.R134a_ph.dBubbleEntropy_dPressure';

  function 'Modelica.Media.R134a.R134a_ph.dBubbleEntropy_dPressure_der_sat'
    input 'Modelica.Media.R134a.R134a_ph.SaturationProperties' 'sat';
    input 'Modelica.Media.R134a.R134a_ph.SaturationProperties' 'der_sat';
    output Real 'der_dsldp';
  algorithm
    'der_dsldp' := 'Modelica.Media.R134a.R134a_ph.dBubbleEntropy_dPressure'('sat') * 'der_sat'.'psat';
  end 'Modelica.Media.R134a.R134a_ph.dBubbleEntropy_dPressure_der_sat';

  function 'Modelica.Media.R134a.R134a_ph.dewDensity' "Density of the dry vapour"
    input 'Modelica.Media.R134a.R134a_ph.SaturationProperties' 'sat';
    output Real 'dv';
    Real 'T';
    Real 'rl';
    Real 'rv';
  algorithm
    ('T', 'rl', 'rv') := 'Modelica.Media.R134a.R134a_ph.boundaryOf_p'('sat'.'psat');
    'dv' := ('Modelica.Media.R134a.Common.helmholtzToBoundaryProps'('Modelica.Media.R134a.R134a_ph.f_R134a'('rv', 'T'))).d;
    annotation(derivative = 'Modelica.Media.R134a.R134a_ph.dDewDensity_dPressure_der_sat');
  end 'Modelica.Media.R134a.R134a_ph.dewDensity';

  function 'Modelica.Media.R134a.R134a_ph.dDewDensity_dPressure' "Its slope over the pressure, along the boundary"
    input 'Modelica.Media.R134a.R134a_ph.SaturationProperties' 'sat';
    output Real 'ddvdp';
    'Modelica.Media.R134a.Common.PhaseBoundaryProperties' 'b';
    Real 'T';
    Real 'rl';
    Real 'rv';
    Real 'k';
    Real 'dd';
  algorithm
    ('T', 'rl', 'rv') := 'Modelica.Media.R134a.R134a_ph.boundaryOf_p'('sat'.'psat');
    'b' := 'Modelica.Media.R134a.Common.helmholtzToBoundaryProps'('Modelica.Media.R134a.R134a_ph.f_R134a'('rv', 'T'));
    'k' := 'Modelica.Media.R134a.R134a_ph.slope'('T', 'rl', 'rv');
    'dd' := (1.0 - 'b'.'pt' / 'k') / 'b'.'pd';
    'ddvdp' := 'dd';
  end 'Modelica.Media.R134a.R134a_ph.dDewDensity_dPressure';

  function 'Modelica.Media.R134a.R134a_ph.dDewDensity_dPressure_der_sat'
    input 'Modelica.Media.R134a.R134a_ph.SaturationProperties' 'sat';
    input 'Modelica.Media.R134a.R134a_ph.SaturationProperties' 'der_sat';
    output Real 'der_ddvdp';
  algorithm
    'der_ddvdp' := 'Modelica.Media.R134a.R134a_ph.dDewDensity_dPressure'('sat') * 'der_sat'.'psat';
  end 'Modelica.Media.R134a.R134a_ph.dDewDensity_dPressure_der_sat';

  function 'Modelica.Media.R134a.R134a_ph.dewEnthalpy' "Enthalpy of the dry vapour"
    input 'Modelica.Media.R134a.R134a_ph.SaturationProperties' 'sat';
    output Real 'hv';
    Real 'T';
    Real 'rl';
    Real 'rv';
  algorithm
    ('T', 'rl', 'rv') := 'Modelica.Media.R134a.R134a_ph.boundaryOf_p'('sat'.'psat');
    'hv' := ('Modelica.Media.R134a.Common.helmholtzToBoundaryProps'('Modelica.Media.R134a.R134a_ph.f_R134a'('rv', 'T'))).h;
    annotation(derivative = 'Modelica.Media.R134a.R134a_ph.dDewEnthalpy_dPressure_der_sat');
  end 'Modelica.Media.R134a.R134a_ph.dewEnthalpy';

  function 'Modelica.Media.R134a.R134a_ph.dDewEnthalpy_dPressure' "Its slope over the pressure, along the boundary"
    input 'Modelica.Media.R134a.R134a_ph.SaturationProperties' 'sat';
    output Real 'dhvdp';
    'Modelica.Media.R134a.Common.PhaseBoundaryProperties' 'b';
    Real 'T';
    Real 'rl';
    Real 'rv';
    Real 'k';
    Real 'dd';
  algorithm
    ('T', 'rl', 'rv') := 'Modelica.Media.R134a.R134a_ph.boundaryOf_p'('sat'.'psat');
    'b' := 'Modelica.Media.R134a.Common.helmholtzToBoundaryProps'('Modelica.Media.R134a.R134a_ph.f_R134a'('rv', 'T'));
    'k' := 'Modelica.Media.R134a.R134a_ph.slope'('T', 'rl', 'rv');
    'dd' := (1.0 - 'b'.'pt' / 'k') / 'b'.'pd';
    'dhvdp' := ('b'.'cv' + 'b'.'pt' / 'b'.'d') / 'k' + ('b'.'pd' - 'T' * 'b'.'pt' / 'b'.'d') / 'b'.'d' * 'dd';
  end 'Modelica.Media.R134a.R134a_ph.dDewEnthalpy_dPressure';

  function 'Modelica.Media.R134a.R134a_ph.dDewEnthalpy_dPressure_der_sat'
    input 'Modelica.Media.R134a.R134a_ph.SaturationProperties' 'sat';
    input 'Modelica.Media.R134a.R134a_ph.SaturationProperties' 'der_sat';
    output Real 'der_dhvdp';
  algorithm
    'der_dhvdp' := 'Modelica.Media.R134a.R134a_ph.dDewEnthalpy_dPressure'('sat') * 'der_sat'.'psat';
  end 'Modelica.Media.R134a.R134a_ph.dDewEnthalpy_dPressure_der_sat';

  function 'Modelica.Media.R134a.R134a_ph.dewEntropy' "Entropy of the dry vapour"
    input 'Modelica.Media.R134a.R134a_ph.SaturationProperties' 'sat';
    output Real 'sv';
    Real 'T';
    Real 'rl';
    Real 'rv';
  algorithm
    ('T', 'rl', 'rv') := 'Modelica.Media.R134a.R134a_ph.boundaryOf_p'('sat'.'psat');
    'sv' := ('Modelica.Media.R134a.Common.helmholtzToBoundaryProps'('Modelica.Media.R134a.R134a_ph.f_R134a'('rv', 'T'))).s;
    annotation(derivative = 'Modelica.Media.R134a.R134a_ph.dDewEntropy_dPressure_der_sat');
  end 'Modelica.Media.R134a.R134a_ph.dewEntropy';

  function 'Modelica.Media.R134a.R134a_ph.dDewEntropy_dPressure' "Its slope over the pressure, along the boundary"
    input 'Modelica.Media.R134a.R134a_ph.SaturationProperties' 'sat';
    output Real 'dsvdp';
    'Modelica.Media.R134a.Common.PhaseBoundaryProperties' 'b';
    Real 'T';
    Real 'rl';
    Real 'rv';
    Real 'k';
    Real 'dd';
  algorithm
    ('T', 'rl', 'rv') := 'Modelica.Media.R134a.R134a_ph.boundaryOf_p'('sat'.'psat');
    'b' := 'Modelica.Media.R134a.Common.helmholtzToBoundaryProps'('Modelica.Media.R134a.R134a_ph.f_R134a'('rv', 'T'));
    'k' := 'Modelica.Media.R134a.R134a_ph.slope'('T', 'rl', 'rv');
    'dd' := (1.0 - 'b'.'pt' / 'k') / 'b'.'pd';
    'dsvdp' := 'b'.'cv' / ('T' * 'k') - 'b'.'pt' / 'b'.'d' ^ 2 * 'dd';
  end 'Modelica.Media.R134a.R134a_ph.dDewEntropy_dPressure';

  function 'Modelica.Media.R134a.R134a_ph.dDewEntropy_dPressure_der_sat'
    input 'Modelica.Media.R134a.R134a_ph.SaturationProperties' 'sat';
    input 'Modelica.Media.R134a.R134a_ph.SaturationProperties' 'der_sat';
    output Real 'der_dsvdp';
  algorithm
    'der_dsvdp' := 'Modelica.Media.R134a.R134a_ph.dDewEntropy_dPressure'('sat') * 'der_sat'.'psat';
  end 'Modelica.Media.R134a.R134a_ph.dDewEntropy_dPressure_der_sat';


  function 'Modelica.Media.R134a.R134a_ph.R134a_liqofdT' "Properties of the boiling liquid"
    input Real 'T';
    output 'Modelica.Media.R134a.Common.PhaseBoundaryProperties' 'liq';
  algorithm
    'liq' := 'Modelica.Media.R134a.Common.helmholtzToBoundaryProps'(if 'T' < 374.18 then 'Modelica.Media.R134a.R134a_ph.f_R134a'('Modelica.Media.R134a.R134a_ph.bubbleDensity'('Modelica.Media.R134a.R134a_ph.setSat_T'('T')), 'T') else 'Modelica.Media.R134a.R134a_ph.f_R134a'(508.0, 374.18));
  end 'Modelica.Media.R134a.R134a_ph.R134a_liqofdT';

  function 'Modelica.Media.R134a.R134a_ph.R134a_vapofdT' "Properties of the dry vapour"
    input Real 'T';
    output 'Modelica.Media.R134a.Common.PhaseBoundaryProperties' 'vap';
  algorithm
    'vap' := 'Modelica.Media.R134a.Common.helmholtzToBoundaryProps'(if 'T' < 374.18 then 'Modelica.Media.R134a.R134a_ph.f_R134a'('Modelica.Media.R134a.R134a_ph.dewDensity'('Modelica.Media.R134a.R134a_ph.setSat_T'('T')), 'T') else 'Modelica.Media.R134a.R134a_ph.f_R134a'(508.0, 374.18));
  end 'Modelica.Media.R134a.R134a_ph.R134a_vapofdT';

  function 'Modelica.Media.R134a.R134a_ph.getPhase_ph' "Number of phases"
    input Real 'p';
    input Real 'h';
    output Integer 'phase';
    Real 'T';
    Real 'dl';
    Real 'dv';
  algorithm
    if 'p' > 4.05928e6 then
      'phase' := 1;
    else
      ('T', 'dl', 'dv') := 'Modelica.Media.R134a.R134a_ph.boundaryOf_p'('p');
      'phase' := if 'h' < ('Modelica.Media.R134a.Common.helmholtzToBoundaryProps'('Modelica.Media.R134a.R134a_ph.f_R134a'('dl', 'T'))).h or 'h' > ('Modelica.Media.R134a.Common.helmholtzToBoundaryProps'('Modelica.Media.R134a.R134a_ph.f_R134a'('dv', 'T'))).h then 1 else 2;
    end if;
  end 'Modelica.Media.R134a.R134a_ph.getPhase_ph';

  function 'Modelica.Media.R134a.R134a_ph.getPhase_ps' "Number of phases"
    input Real 'p';
    input Real 's';
    output Integer 'phase';
    Real 'T';
    Real 'dl';
    Real 'dv';
  algorithm
    if 'p' > 4.05928e6 then
      'phase' := 1;
    else
      ('T', 'dl', 'dv') := 'Modelica.Media.R134a.R134a_ph.boundaryOf_p'('p');
      'phase' := if 's' < ('Modelica.Media.R134a.Common.helmholtzToBoundaryProps'('Modelica.Media.R134a.R134a_ph.f_R134a'('dl', 'T'))).s or 's' > ('Modelica.Media.R134a.Common.helmholtzToBoundaryProps'('Modelica.Media.R134a.R134a_ph.f_R134a'('dv', 'T'))).s then 1 else 2;
    end if;
  end 'Modelica.Media.R134a.R134a_ph.getPhase_ps';

  function 'Modelica.Media.R134a.R134a_ph.dtofphOnePhase' "Density and temperature of one phase at a pressure and an enthalpy: Newton's method for the temperature, kept inside by halving"
    input Real 'p';
    input Real 'h';
    input Real 'delp';
    input Real 'delh';
    output Real 'd';
    output Real 'T';
    output Integer 'error';
    'Modelica.Media.Common.NewtonDerivatives_ph' 'n';
    Real 'ts';
    Real 'dl';
    Real 'dv';
    Real 'lo';
    Real 'hi';
    Real 'e';
    Real 'cp';
    Real 'next';
  algorithm
    ('ts', 'dl', 'dv') := 'Modelica.Media.R134a.R134a_ph.boundaryOf_p'('p');
    if 'p' > 4.0e6 then
      'lo' := 160.0;
      'hi' := 600.0;
      'T' := 374.0;
      'd' := if 'h' < 380e3 then 1100.0 else 100.0;
    elseif 'h' < 0.5 * (('Modelica.Media.Common.Helmholtz_ph'('Modelica.Media.R134a.R134a_ph.f_R134a'('dl', 'ts'))).h + ('Modelica.Media.Common.Helmholtz_ph'('Modelica.Media.R134a.R134a_ph.f_R134a'('dv', 'ts'))).h) then
      'lo' := 160.0;
      'hi' := 'ts' + 5.0;
      'T' := 'ts';
      'd' := 'dl';
    else
      'lo' := 'ts' - 5.0;
      'hi' := 600.0;
      'T' := 'ts';
      'd' := 'dv';
    end if;
    'error' := 1;
    for 'k' in 1:100 loop
      'd' := 'Modelica.Media.R134a.R134a_ph.densityNear'('p', 'T', 'd');
      'n' := 'Modelica.Media.Common.Helmholtz_ph'('Modelica.Media.R134a.R134a_ph.f_R134a'('d', 'T'));
      'e' := 'n'.'h' - 'h';
      if 'e' > 0.0 then
        'hi' := 'T';
      else
        'lo' := 'T';
      end if;
      'cp' := 'n'.'ht' - 'n'.'hd' * 'n'.'pt' / 'n'.'pd';
      'next' := if 'cp' > 0.0 then 'T' - 'e' / 'cp' else 0.0;
      if abs('e') <= 1e-9 * abs('h') then
        'error' := 0;
        'T' := 'next';
        break;
      end if;
      'T' := if 'next' > 'lo' and 'next' < 'hi' then 'next' else 0.5 * ('lo' + 'hi');
    end for;
    'd' := 'Modelica.Media.R134a.R134a_ph.densityNear'('p', 'T', 'd');
    if abs('e') <= 'delh' then
      'error' := 0;
    end if;
  end 'Modelica.Media.R134a.R134a_ph.dtofphOnePhase';

  function 'Modelica.Media.R134a.R134a_ph.dtofpsOnePhase' "Density and temperature of one phase at a pressure and an entropy: Newton's method for the temperature, kept inside by halving"
    input Real 'p';
    input Real 's';
    input Real 'delp';
    input Real 'dels';
    output Real 'd';
    output Real 'T';
    output Integer 'error';
    'Modelica.Media.Common.NewtonDerivatives_ps' 'n';
    Real 'ts';
    Real 'dl';
    Real 'dv';
    Real 'lo';
    Real 'hi';
    Real 'e';
    Real 'cp';
    Real 'next';
  algorithm
    ('ts', 'dl', 'dv') := 'Modelica.Media.R134a.R134a_ph.boundaryOf_p'('p');
    if 'p' > 4.0e6 then
      'lo' := 160.0;
      'hi' := 600.0;
      'T' := 374.0;
      'd' := if 's' < 1540.0 then 1100.0 else 100.0;
    elseif 's' < 0.5 * (('Modelica.Media.Common.Helmholtz_ps'('Modelica.Media.R134a.R134a_ph.f_R134a'('dl', 'ts'))).s + ('Modelica.Media.Common.Helmholtz_ps'('Modelica.Media.R134a.R134a_ph.f_R134a'('dv', 'ts'))).s) then
      'lo' := 160.0;
      'hi' := 'ts' + 5.0;
      'T' := 'ts';
      'd' := 'dl';
    else
      'lo' := 'ts' - 5.0;
      'hi' := 600.0;
      'T' := 'ts';
      'd' := 'dv';
    end if;
    'error' := 1;
    for 'k' in 1:100 loop
      'd' := 'Modelica.Media.R134a.R134a_ph.densityNear'('p', 'T', 'd');
      'n' := 'Modelica.Media.Common.Helmholtz_ps'('Modelica.Media.R134a.R134a_ph.f_R134a'('d', 'T'));
      'e' := 'n'.'s' - 's';
      if 'e' > 0.0 then
        'hi' := 'T';
      else
        'lo' := 'T';
      end if;
      'cp' := 'T' * ('n'.'st' - 'n'.'sd' * 'n'.'pt' / 'n'.'pd');
      'next' := if 'cp' > 0.0 then 'T' - 'T' * 'e' / 'cp' else 0.0;
      if abs('e') <= 1e-10 * abs('s') then
        'error' := 0;
        'T' := 'next';
        break;
      end if;
      'T' := if 'next' > 'lo' and 'next' < 'hi' then 'next' else 0.5 * ('lo' + 'hi');
    end for;
    'd' := 'Modelica.Media.R134a.R134a_ph.densityNear'('p', 'T', 'd');
    if abs('e') <= 'dels' * abs('s') then
      'error' := 0;
    end if;
  end 'Modelica.Media.R134a.R134a_ph.dtofpsOnePhase';

  function 'Modelica.Media.R134a.R134a_ph.hofpsTwoPhase' "Enthalpy of two phases at a pressure and an entropy"
    input Real 'p';
    input Real 's';
    output Real 'h';
    'Modelica.Media.R134a.Common.PhaseBoundaryProperties' 'l';
    'Modelica.Media.R134a.Common.PhaseBoundaryProperties' 'v';
    Real 'T';
    Real 'dl';
    Real 'dv';
  algorithm
    ('T', 'dl', 'dv') := 'Modelica.Media.R134a.R134a_ph.boundaryOf_p'('p');
    'l' := 'Modelica.Media.R134a.Common.helmholtzToBoundaryProps'('Modelica.Media.R134a.R134a_ph.f_R134a'('dl', 'T'));
    'v' := 'Modelica.Media.R134a.Common.helmholtzToBoundaryProps'('Modelica.Media.R134a.R134a_ph.f_R134a'('dv', 'T'));
    'h' := 'l'.'h' + ('s' - 'l'.'s') / ('v'.'s' - 'l'.'s') * ('v'.'h' - 'l'.'h');
  end 'Modelica.Media.R134a.R134a_ph.hofpsTwoPhase';

  function 'Modelica.Media.R134a.R134a_ph.dt_ph' "Density and temperature at a pressure and an enthalpy"
    input Real 'p';
    input Real 'h';
    output Real 'd';
    output Real 'T';
    'Modelica.Media.R134a.Common.PhaseBoundaryProperties' 'l';
    'Modelica.Media.R134a.Common.PhaseBoundaryProperties' 'v';
    Real 'dl';
    Real 'dv';
    Integer 'error';
  algorithm
    // Not by derivsOf_ph: a file may define that by this function.
    ('T', 'dl', 'dv') := 'Modelica.Media.R134a.R134a_ph.boundaryOf_p'('p');
    'l' := 'Modelica.Media.R134a.Common.helmholtzToBoundaryProps'('Modelica.Media.R134a.R134a_ph.f_R134a'('dl', 'T'));
    'v' := 'Modelica.Media.R134a.Common.helmholtzToBoundaryProps'('Modelica.Media.R134a.R134a_ph.f_R134a'('dv', 'T'));
    if 'h' < 'l'.'h' or 'h' > 'v'.'h' or 'p' > 4.05928e6 then
      ('d', 'T', 'error') := 'Modelica.Media.R134a.R134a_ph.dtofphOnePhase'('p', 'h', 0.01, 0.01);
    else
      'd' := 1.0 / (1.0 / 'dl' + ('h' - 'l'.'h') / ('v'.'h' - 'l'.'h') * (1.0 / 'dv' - 1.0 / 'dl'));
    end if;
  end 'Modelica.Media.R134a.R134a_ph.dt_ph';

  function 'Modelica.Media.R134a.R134a_ph.derivsOf_ph' "Density, temperature and slopes at a pressure and an enthalpy"
    input Real 'p';
    input Real 'h';
    input Integer 'phase';
    output 'Modelica.Media.R134a.Common.InverseDerivatives_rhoT' 'derivs';
    'Modelica.Media.R134a.Common.PhaseBoundaryProperties' 'l';
    'Modelica.Media.R134a.Common.PhaseBoundaryProperties' 'v';
    'Modelica.Media.Common.HelmholtzDerivs' 'f';
    'Modelica.Media.Common.NewtonDerivatives_ph' 'n';
    Real 'T';
    Real 'dl';
    Real 'dv';
    Real 'x';
    Integer 'error';
  algorithm
    ('T', 'dl', 'dv') := 'Modelica.Media.R134a.R134a_ph.boundaryOf_p'('p');
    'l' := 'Modelica.Media.R134a.Common.helmholtzToBoundaryProps'('Modelica.Media.R134a.R134a_ph.f_R134a'('dl', 'T'));
    'v' := 'Modelica.Media.R134a.Common.helmholtzToBoundaryProps'('Modelica.Media.R134a.R134a_ph.f_R134a'('dv', 'T'));
    'derivs'.'p' := 'p';
    'derivs'.'h' := 'h';
    'derivs'.'phase' := if 'h' < 'l'.'h' or 'h' > 'v'.'h' or 'p' > 4.05928e6 then 1 else 2;
    if 'derivs'.'phase' == 2 then
      'x' := ('h' - 'l'.'h') / ('v'.'h' - 'l'.'h');
      'derivs'.'T' := 'T';
      'derivs'.'rho' := 1.0 / (1.0 / 'dl' + 'x' * (1.0 / 'dv' - 1.0 / 'dl'));
      ('derivs'.'cv', 'derivs'.'dpT') := 'Modelica.Media.R134a.Common.cv2Phase'('l', 'v', 'x', 'T', 'p');
      'derivs'.'pd' := 0.0;
      'derivs'.'pt' := 0.0;
    else
      ('derivs'.'rho', 'derivs'.'T', 'error') := 'Modelica.Media.R134a.R134a_ph.dtofphOnePhase'('p', 'h', 0.01, 0.01);
      'f' := 'Modelica.Media.R134a.R134a_ph.f_R134a'('derivs'.'rho', 'derivs'.'T');
      'n' := 'Modelica.Media.Common.Helmholtz_ph'('f');
      'derivs'.'cv' := -'f'.'R_s' * 'f'.'tau' ^ 2 * 'f'.'ftautau';
      'derivs'.'pd' := 'n'.'pd';
      'derivs'.'pt' := 'n'.'pt';
      'derivs'.'dpT' := 0.0;
    end if;
  end 'Modelica.Media.R134a.R134a_ph.derivsOf_ph';

  function 'Modelica.Media.R134a.R134a_ph.rho_ph_der'
    input Real 'p';
    input Real 'h';
    input 'Modelica.Media.R134a.Common.InverseDerivatives_rhoT' 'derivs';
    input Real 'p_der';
    input Real 'h_der';
    output Real 'd_der';
  algorithm
    if 'derivs'.'phase' == 2 then
      'd_der' := ('derivs'.'rho' * ('derivs'.'rho' * 'derivs'.'cv' / 'derivs'.'dpT' + 1.0) * 'p_der' - 'derivs'.'rho' ^ 2 * 'h_der') / ('derivs'.'dpT' * 'derivs'.'T');
    else
      'd_der' := ('derivs'.'rho' * ('derivs'.'cv' * 'derivs'.'rho' + 'derivs'.'pt') * 'p_der' - 'derivs'.'rho' ^ 2 * 'derivs'.'pt' * 'h_der') / ('derivs'.'rho' ^ 2 * 'derivs'.'pd' * 'derivs'.'cv' + 'derivs'.'T' * 'derivs'.'pt' ^ 2);
    end if;
  end 'Modelica.Media.R134a.R134a_ph.rho_ph_der';

  function 'Modelica.Media.R134a.R134a_ph.rho_props_ph' "Density, from the properties"
    input Real 'p';
    input Real 'h';
    input 'Modelica.Media.R134a.Common.InverseDerivatives_rhoT' 'derivs';
    output Real 'd';
  algorithm
    'd' := 'derivs'.'rho';
    annotation(derivative(noDerivative = 'derivs') = 'Modelica.Media.R134a.R134a_ph.rho_ph_der');
  end 'Modelica.Media.R134a.R134a_ph.rho_props_ph';

  function 'Modelica.Media.R134a.R134a_ph.T_ph_der'
    input Real 'p';
    input Real 'h';
    input 'Modelica.Media.R134a.Common.InverseDerivatives_rhoT' 'derivs';
    input Real 'p_der';
    input Real 'h_der';
    output Real 'T_der';
  algorithm
    if 'derivs'.'phase' == 2 then
      'T_der' := 'p_der' / 'derivs'.'dpT';
    else
      'T_der' := (('derivs'.'T' * 'derivs'.'pt' - 'derivs'.'rho' * 'derivs'.'pd') * 'p_der' + 'derivs'.'rho' ^ 2 * 'derivs'.'pd' * 'h_der') / ('derivs'.'rho' ^ 2 * 'derivs'.'pd' * 'derivs'.'cv' + 'derivs'.'T' * 'derivs'.'pt' ^ 2);
    end if;
  end 'Modelica.Media.R134a.R134a_ph.T_ph_der';

  function 'Modelica.Media.R134a.R134a_ph.T_props_ph' "Temperature, from the properties"
    input Real 'p';
    input Real 'h';
    input 'Modelica.Media.R134a.Common.InverseDerivatives_rhoT' 'derivs';
    output Real 'T';
  algorithm
    'T' := 'derivs'.'T';
    annotation(derivative(noDerivative = 'derivs') = 'Modelica.Media.R134a.R134a_ph.T_ph_der');
  end 'Modelica.Media.R134a.R134a_ph.T_props_ph';

  function 'Modelica.Media.R134a.R134a_ph.density_ph' "Density at a pressure and an enthalpy"
    input Real 'p';
    input Real 'h';
    input Integer 'phase' = 0;
    output Real 'd';
  algorithm
    'd' := 'Modelica.Media.R134a.R134a_ph.rho_props_ph'('p', 'h', 'Modelica.Media.R134a.R134a_ph.derivsOf_ph'('p', 'h', 'phase'));
  end 'Modelica.Media.R134a.R134a_ph.density_ph';

  function 'Modelica.Media.R134a.R134a_ph.temperature_ph' "Temperature at a pressure and an enthalpy"
    input Real 'p';
    input Real 'h';
    input Integer 'phase' = 0;
    output Real 'T';
  algorithm
    'T' := 'Modelica.Media.R134a.R134a_ph.T_props_ph'('p', 'h', 'Modelica.Media.R134a.R134a_ph.derivsOf_ph'('p', 'h', 'phase'));
  end 'Modelica.Media.R134a.R134a_ph.temperature_ph';

  function 'Modelica.Media.R134a.R134a_ph.dofpT' "Density of one phase at a pressure and a temperature"
    input Real 'p';
    input Real 'T';
    input Real 'delp';
    output Real 'd';
    Real 'ts';
    Real 'dl';
    Real 'dv';
  algorithm
    ('ts', 'dl', 'dv') := 'Modelica.Media.R134a.R134a_ph.boundaryOf_p'('p');
    'd' := 'Modelica.Media.R134a.R134a_ph.densityNear'('p', 'T', if 'p' > 4.0e6 then (if 'T' < 374.18 then 1100.0 else 'p' / (81.4888564372 * 'T')) elseif 'T' <= 'ts' then 'dl' else min('dv', 'p' / (81.4888564372 * 'T')));
  end 'Modelica.Media.R134a.R134a_ph.dofpT';

  function 'Modelica.Media.R134a.R134a_ph.hofpT' "Enthalpy of one phase at a pressure and a temperature"
    input Real 'p';
    input Real 'T';
    input Real 'delp';
    output Real 'h';
  algorithm
    'h' := ('Modelica.Media.Common.Helmholtz_ph'('Modelica.Media.R134a.R134a_ph.f_R134a'('Modelica.Media.R134a.R134a_ph.dofpT'('p', 'T', 'delp'), 'T'))).h;
  end 'Modelica.Media.R134a.R134a_ph.hofpT';

  function 'Modelica.Media.R134a.R134a_ph.phaseBoundaryAssert' "Tells that a state is too near to the boundary of the phases for a pressure and a temperature to determine it"
    input Real 'p';
    input Real 'T';
  algorithm
    assert('p' > 4.0576e6 or abs('T' - 'Modelica.Media.R134a.R134a_ph.saturationTemperature'('p')) >= 1.0, "a pressure and a temperature do not determine states of two phases", AssertionLevel.error);
  end 'Modelica.Media.R134a.R134a_ph.phaseBoundaryAssert';
end 'Library';
