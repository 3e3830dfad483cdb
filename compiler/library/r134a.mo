//! base 0.1.0
// The refrigerant R134a by the equation of state of Tillner-Roth and Baehr (1994), by the interfaces of Modelica.Media.R134a: the
// boundary of the phases, where the Gibbs energies are equal, is a fit of our own instead of splines.
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
    Real 'a' = 9.723916 / sqrt('tau');
    Real 'b' = 3.927170 / sqrt('tau' * sqrt('tau'));
  algorithm
    'fid'.'d' := 508.0 * 'delta';
    'fid'.'T' := 374.18 / 'tau';
    'fid'.'R_s' := 81.4888564372;
    'fid'.'delta' := 'delta';
    'fid'.'tau' := 'tau';
    'fid'.'f' := log(abs('delta')) - 1.019535 + 9.047135 * 'tau' - 1.629789 * log(abs('tau')) - 'a' - 'b';
    'fid'.'fdelta' := 1.0 / 'delta';
    'fid'.'fdeltadelta' := -1.0 / ('delta' * 'delta');
    'fid'.'ftau' := 9.047135 + (0.5 * 'a' + 0.75 * 'b' - 1.629789) / 'tau';
    'fid'.'ftautau' := (1.629789 - 0.75 * 'a' - 1.3125 * 'b') / ('tau' * 'tau');
    'fid'.'fdeltatau' := 0.0;
  end 'Modelica.Media.R134a.R134a_ph.fid_R134a';

  function 'Modelica.Media.R134a.R134a_ph.fres_R134a' "Residual Helmholtz function"
    input Real 'delta';
    input Real 'tau';
    output 'Modelica.Media.Common.HelmholtzDerivs' 'f';
    constant Real 'n'[21] = {0.05586817, 0.498223, 0.02458698, 0.0008570145, 0.0004788584, -1.800808, 0.2671641, -0.04781652, 0.01423987, 0.3324062, -0.007485907, 0.0001017263, -0.5184567, -0.08692288, 0.2057144, -0.005000457, 0.0004603262, -0.003497836, 0.006995038, -0.01452184, -0.0001285458};
    constant Real 'd'[21] = {2.0, 1.0, 3.0, 6.0, 6.0, 1.0, 1.0, 2.0, 5.0, 2.0, 2.0, 4.0, 1.0, 4.0, 1.0, 2.0, 4.0, 1.0, 5.0, 3.0, 10.0};
    constant Real 't'[21] = {-0.5, 0.0, 0.0, 0.0, 1.5, 1.5, 2.0, 2.0, 1.0, 3.0, 5.0, 1.0, 5.0, 5.0, 6.0, 10.0, 10.0, 10.0, 18.0, 22.0, 50.0};
    constant Integer 'c'[21] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 4};
    Real 'x1' = abs('delta');
    Real 'x2' = 'x1' * 'x1';
    Real 'x3' = 'x1' * 'x2';
    Real 'x4' = 'x2' * 'x2';
    Real 'x5' = 'x2' * 'x3';
    Real 'x6' = 'x3' * 'x3';
    Real 't1' = abs('tau');
    Real 't2' = 't1' * 't1';
    Real 't3' = 't1' * 't2';
    Real 't5' = 't2' * 't3';
    Real 't6' = 't3' * 't3';
    Real 't10' = 't5' * 't5';
    Real 't18' = 't10' * 't6' * 't2';
    Real 't22' = 't10' * 't10' * 't2';
    Real 'root' = sqrt('t1');
    Real 'x'[21] "Powers of the density";
    Real 'y'[21] "Powers of the temperature";
    Real 'w'[5] "Exponents of the exponential terms and their exponentials";
    Real 'e'[5];
    Real 'q';
    Real 'k';
    Real 'm';
  algorithm
    'x' := {'x2', 'x1', 'x3', 'x6', 'x6', 'x1', 'x1', 'x2', 'x5', 'x2', 'x2', 'x4', 'x1', 'x4', 'x1', 'x2', 'x4', 'x1', 'x5', 'x3', 'x5' * 'x5'};
    'y' := {1.0 / 'root', 1.0, 1.0, 1.0, 't1' * 'root', 't1' * 'root', 't2', 't2', 't1', 't3', 't5', 't1', 't5', 't5', 't6', 't10', 't10', 't10', 't18', 't22', 't22' * 't22' * 't6'};
    'w' := {0.0, 'x1', 'x2', 'x3', 'x4'};
    'e' := {1.0, exp(-'x1'), exp(-'x2'), exp(-'x3'), exp(-'x4')};
    'f'.'d' := 508.0 * 'delta';
    'f'.'T' := 374.18 / 'tau';
    'f'.'R_s' := 81.4888564372;
    'f'.'delta' := 'x1';
    'f'.'tau' := 't1';
    'f'.'f' := 0.0;
    'f'.'fdelta' := 0.0;
    'f'.'fdeltadelta' := 0.0;
    'f'.'ftau' := 0.0;
    'f'.'ftautau' := 0.0;
    'f'.'fdeltatau' := 0.0;
    for 'i' in 1:21 loop
      'm' := 'w'['c'['i'] + 1];
      'q' := 'd'['i'] - 'c'['i'] * 'm';
      'k' := 'n'['i'] * 'x'['i'] * 'y'['i'] * 'e'['c'['i'] + 1];
      'f'.'f' := 'f'.'f' + 'k';
      'f'.'fdelta' := 'f'.'fdelta' + 'k' * 'q';
      'f'.'fdeltadelta' := 'f'.'fdeltadelta' + 'k' * ('q' * ('q' - 1.0) - 'c'['i'] * 'c'['i'] * 'm');
      'f'.'ftau' := 'f'.'ftau' + 'k' * 't'['i'];
      'f'.'ftautau' := 'f'.'ftautau' + 'k' * 't'['i'] * ('t'['i'] - 1.0);
      'f'.'fdeltatau' := 'f'.'fdeltatau' + 'k' * 'q' * 't'['i'];
    end for;
    'f'.'fdelta' := 'f'.'fdelta' / 'delta';
    'f'.'fdeltadelta' := 'f'.'fdeltadelta' / 'x2';
    'f'.'ftau' := 'f'.'ftau' / 'tau';
    'f'.'ftautau' := 'f'.'ftautau' / 't2';
    'f'.'fdeltatau' := 'f'.'fdeltatau' / ('delta' * 'tau');
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

  function 'Modelica.Media.R134a.R134a_ph.chebyshev' "Sum of Chebyshev polynomials, by Clenshaw's recurrence"
    input Real 'c'[:];
    input Real 'x';
    output Real 'y';
    Real 'a';
    Real 'b';
  algorithm
    'a' := 0.0;
    'b' := 0.0;
    for 'k' in 1:size('c', 1) - 1 loop
      'y' := 'c'[size('c', 1) + 1 - 'k'] + 2.0 * 'x' * 'a' - 'b';
      'b' := 'a';
      'a' := 'y';
    end for;
    'y' := 'c'[1] + 'x' * 'a' - 'b';
  end 'Modelica.Media.R134a.R134a_ph.chebyshev';

  function 'Modelica.Media.R134a.R134a_ph.temperatureOf_p' "Temperature of equilibrium: a fit, exact to 2e-8, of the logarithm over the root of ln(pc/p), over which it is smooth"
    input Real 'p';
    output Real 'T';
    constant Real 'c'[19] = {5.58827001044, -0.415441915848, -0.0566716107453, 0.0219365234224, -0.00154570382212, -0.00102886716157, 0.000275770823, 2.05907089269e-05, -1.87261200867e-05, 2.19553568444e-06, 3.67425269335e-07, -3.68667045126e-07, 2.90073746317e-07, -1.72131335933e-07, 4.91867339515e-08, 2.38711180848e-08, -2.73274932835e-08, 8.91260979357e-09, 7.30933935754e-09};
  algorithm
    'T' := exp('Modelica.Media.R134a.R134a_ph.chebyshev'('c', 2.0 * sqrt(log(4059276.3737 / min(4.058e6, max(396.2, 'p')))) / 3.03886116566092 - 1.0));
  end 'Modelica.Media.R134a.R134a_ph.temperatureOf_p';

  function 'Modelica.Media.R134a.R134a_ph.boundaryOf_p' "Temperature and densities of the phases in equilibrium; densities by Newton's method from a fit"
    input Real 'p';
    output Real 'T';
    output Real 'dl';
    output Real 'dv';
    constant Real 'l'[12] = {7.00131999589, 0.490183944715, -0.156423635336, 0.0511291769511, -0.0218287209719, 0.0130744556952, -0.00887834130384, 0.00642715605811, -0.00438399751043, 0.00330152701752, -0.00191897561544, 0.00152422496234};
    constant Real 'v'[12] = {2.13642506078, -4.77804198901, -0.829564909227, -0.0970848528269, 0.0200746456552, -0.0105640164248, 0.00871536119407, -0.00638997333268, 0.00436192980763, -0.00317856036931, 0.00178571778975, -0.00128615700552};
    Real 'q' = min(4.058e6, max(396.2, 'p'));
    Real 'x';
  algorithm
    'x' := 2.0 * sqrt(log(4059276.3737 / 'q')) / 3.03886116566092 - 1.0;
    'T' := 'Modelica.Media.R134a.R134a_ph.temperatureOf_p'('q');
    'dl' := 'Modelica.Media.R134a.R134a_ph.densityNear'('q', 'T', exp('Modelica.Media.R134a.R134a_ph.chebyshev'('l', 'x')));
    'dv' := 'Modelica.Media.R134a.R134a_ph.densityNear'('q', 'T', exp('Modelica.Media.R134a.R134a_ph.chebyshev'('v', 'x')));
  end 'Modelica.Media.R134a.R134a_ph.boundaryOf_p';

  function 'Modelica.Media.R134a.R134a_ph.saturationTemperature' "Saturation temperature"
    input Real 'p';
    output Real 'T';
  algorithm
    'T' := 'Modelica.Media.R134a.R134a_ph.temperatureOf_p'('p');
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

  function 'Modelica.Media.R134a.R134a_ph.saturationPressure' "Saturation pressure, by secants of its logarithm over the reciprocal temperature and a last step of Newton's method"
    input Real 'T';
    output Real 'p';
    Real 't';
    Real 'dl';
    Real 'dv';
    Real 'a';
    Real 'b';
    Real 'fa';
    Real 'fb';
    Real 'y' = 1.0 / max(170.0, min(374.2, 'T'));
  algorithm
    // About ln(p) = ln(pc) - 7*(Tc/T - 1).
    'a' := 15.2165 - 7.0 * (374.212 * 'y' - 1.0);
    'fa' := 1.0 / 'Modelica.Media.R134a.R134a_ph.temperatureOf_p'(exp('a')) - 'y';
    'b' := 'a' + 2600.0 * 'fa';
    for 'k' in 1:20 loop
      'fb' := 1.0 / 'Modelica.Media.R134a.R134a_ph.temperatureOf_p'(exp('b')) - 'y';
      if abs('fb') <= 1e-13 or 'fb' == 'fa' then
        break;
      end if;
      't' := 'b' - 'fb' * ('b' - 'a') / ('fb' - 'fa');
      'a' := 'b';
      'fa' := 'fb';
      'b' := 't';
    end for;
    ('t', 'dl', 'dv') := 'Modelica.Media.R134a.R134a_ph.boundaryOf_p'(exp('b'));
    'p' := exp('b') + ('T' - 't') * 'Modelica.Media.R134a.R134a_ph.slope'('t', 'dl', 'dv');
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

  function 'Modelica.Media.R134a.R134a_ph.dtofphOnePhase' "Density and temperature of one phase at a pressure and an enthalpy: Newton's method for both, else for the temperature kept inside by halving"
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
    Real 'd0';
    Real 'lo';
    Real 'hi';
    Real 'e';
    Real 'f';
    Real 'cp';
    Real 'next';
  algorithm
    ('ts', 'dl', 'dv') := 'Modelica.Media.R134a.R134a_ph.boundaryOf_p'('p');
    if 'p' > 4.05e6 then
      'lo' := 160.0;
      'hi' := 600.0;
      'ts' := 374.0;
      'd0' := if 'h' < 380e3 then 1100.0 else 100.0;
    elseif 'h' < 0.5 * (('Modelica.Media.Common.Helmholtz_ph'('Modelica.Media.R134a.R134a_ph.f_R134a'('dl', 'ts'))).h + ('Modelica.Media.Common.Helmholtz_ph'('Modelica.Media.R134a.R134a_ph.f_R134a'('dv', 'ts'))).h) then
      'lo' := 160.0;
      'hi' := 'ts' + 5.0;
      'd0' := 'dl';
    else
      'lo' := 'ts' - 5.0;
      'hi' := 600.0;
      'd0' := 'dv';
    end if;
    'error' := 1;
    'T' := 'ts';
    'd' := 'd0';
    for 'k' in 1:30 loop
      'n' := 'Modelica.Media.Common.Helmholtz_ph'('Modelica.Media.R134a.R134a_ph.f_R134a'('d', 'T'));
      'e' := 'n'.'h' - 'h';
      'f' := 'n'.'p' - 'p';
      'cp' := 'n'.'ht' * 'n'.'pd' - 'n'.'pt' * 'n'.'hd';
      if not ('cp' > 0.0 and 'n'.'pd' > 0.0) then
        break;
      end if;
      'T' := min(600.0, max(150.0, 'T' - max(-40.0, min(40.0, ('n'.'pd' * 'e' - 'n'.'hd' * 'f') / 'cp'))));
      'd' := 'd' - max(-0.3 * 'd', min(0.3 * 'd', ('n'.'ht' * 'f' - 'n'.'pt' * 'e') / 'cp'));
      if abs('e') <= 1e-9 * (1.0 + abs('h')) and abs('f') <= 1e-9 * 'p' + 1e-3 then
        'error' := 0;
        break;
      end if;
    end for;
    if 'error' == 1 then
      'T' := 'ts';
      'd' := 'd0';
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
        if abs('e') <= 1e-9 * (1.0 + abs('h')) then
          'error' := 0;
          'T' := 'next';
          break;
        end if;
        'T' := if 'next' > 'lo' and 'next' < 'hi' then 'next' else 0.5 * ('lo' + 'hi');
      end for;
      'd' := 'Modelica.Media.R134a.R134a_ph.densityNear'('p', 'T', 'd');
    end if;
  end 'Modelica.Media.R134a.R134a_ph.dtofphOnePhase';

  function 'Modelica.Media.R134a.R134a_ph.dtofpsOnePhase' "Density and temperature of one phase at a pressure and an entropy: Newton's method for both, else for the temperature kept inside by halving"
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
    Real 'd0';
    Real 'lo';
    Real 'hi';
    Real 'e';
    Real 'f';
    Real 'cp';
    Real 'next';
  algorithm
    ('ts', 'dl', 'dv') := 'Modelica.Media.R134a.R134a_ph.boundaryOf_p'('p');
    if 'p' > 4.05e6 then
      'lo' := 160.0;
      'hi' := 600.0;
      'ts' := 374.0;
      'd0' := if 's' < 1540.0 then 1100.0 else 100.0;
    elseif 's' < 0.5 * (('Modelica.Media.Common.Helmholtz_ps'('Modelica.Media.R134a.R134a_ph.f_R134a'('dl', 'ts'))).s + ('Modelica.Media.Common.Helmholtz_ps'('Modelica.Media.R134a.R134a_ph.f_R134a'('dv', 'ts'))).s) then
      'lo' := 160.0;
      'hi' := 'ts' + 5.0;
      'd0' := 'dl';
    else
      'lo' := 'ts' - 5.0;
      'hi' := 600.0;
      'd0' := 'dv';
    end if;
    'error' := 1;
    'T' := 'ts';
    'd' := 'd0';
    for 'k' in 1:30 loop
      'n' := 'Modelica.Media.Common.Helmholtz_ps'('Modelica.Media.R134a.R134a_ph.f_R134a'('d', 'T'));
      'e' := 'n'.'s' - 's';
      'f' := 'n'.'p' - 'p';
      'cp' := 'n'.'st' * 'n'.'pd' - 'n'.'pt' * 'n'.'sd';
      if not ('cp' > 0.0 and 'n'.'pd' > 0.0) then
        break;
      end if;
      'T' := min(600.0, max(150.0, 'T' - max(-40.0, min(40.0, ('n'.'pd' * 'e' - 'n'.'sd' * 'f') / 'cp'))));
      'd' := 'd' - max(-0.3 * 'd', min(0.3 * 'd', ('n'.'st' * 'f' - 'n'.'pt' * 'e') / 'cp'));
      if abs('e') <= 1e-9 * (1.0 + abs('s')) and abs('f') <= 1e-9 * 'p' + 1e-3 then
        'error' := 0;
        break;
      end if;
    end for;
    if 'error' == 1 then
      'T' := 'ts';
      'd' := 'd0';
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
        if abs('e') <= 1e-9 * (1.0 + abs('s')) then
          'error' := 0;
          'T' := 'next';
          break;
        end if;
        'T' := if 'next' > 'lo' and 'next' < 'hi' then 'next' else 0.5 * ('lo' + 'hi');
      end for;
      'd' := 'Modelica.Media.R134a.R134a_ph.densityNear'('p', 'T', 'd');
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
    'd' := 'Modelica.Media.R134a.R134a_ph.densityNear'('p', 'T', if 'p' > 4.05e6 then (if 'T' < 374.18 then 1100.0 else 'p' / (81.4888564372 * 'T')) elseif 'T' <= 'ts' then 'dl' else min('dv', 'p' / (81.4888564372 * 'T')));
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
