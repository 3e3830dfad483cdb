//! base 0.1.0
// Dry air by the equation of state of Lemmon, Jacobsen, Penoncello and Friend (2000), moist air and ideal gases of
// Modelica.Media, by their interfaces and formulas.
package 'Library'
  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.Basic.Helmholtz' "Helmholtz function of dry air"
    input Real 'd';
    input Real 'T';
    output 'Modelica.Media.Common.HelmholtzDerivs' 'f';
    constant Real 'n'[19] = {0.118160747229, 0.713116392079, -1.61824192067, 0.0714140178971, -0.0865421396646, 0.134211176704, 0.0112626704218, -0.0420533228842, 0.0349008431982, 0.000164957183186, -0.101365037912, -0.17381369097, -0.0472103183731, -0.0122523554253, -0.146629609713, -0.0316055879821, 0.000233594806142, 0.0148287891978, -0.00938782884667};
    constant Integer 'i'[19] = {1, 1, 1, 2, 3, 3, 4, 4, 4, 6, 1, 3, 5, 6, 1, 3, 11, 1, 3};
    constant Real 'j'[19] = {0.0, 0.33, 1.01, 0.0, 0.0, 0.15, 0.0, 0.2, 0.35, 1.35, 1.6, 0.8, 0.95, 1.25, 3.6, 6.0, 3.25, 3.5, 15.0};
    constant Integer 'l'[19] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3};
    Real 'x' "Reduced density";
    Real 't' "Reciprocal reduced temperature";
    Real 'e1';
    Real 'e2';
    Real 'e3';
    Real 'w';
    Real 'q';
    Real 'term';
  algorithm
    'x' := 'd' / (28.9586e-3 * 10447.7);
    't' := 132.6312 / 'T';
    'f'.'d' := 'd';
    'f'.'T' := 'T';
    'f'.'R_s' := 287.117;
    'f'.'delta' := 'x';
    'f'.'tau' := 't';
    'e1' := exp(-25.36365 * 't');
    'e2' := exp(-16.90741 * 't');
    'e3' := exp(-87.31279 * 't');
    // The logarithm of 2/3 + exp(c*tau) is written with the exponential that cannot overflow.
    'f'.'f' := log('x') + 6.057194e-8 / 't' ^ 3 - 2.10274769e-5 / 't' ^ 2 - 1.58860716e-4 / 't' - 13.841928076 + 17.275266575 * 't' - 1.9536342e-4 * 't' ^ 1.5 + 2.490888032 * log('t') + 0.791309509 * log(1.0 - 'e1') + 0.212236768 * log(1.0 - 'e2') + 0.197938904 * (87.31279 * 't' + log(1.0 + 2.0 / 3.0 * 'e3'));
    'f'.'fdelta' := 1.0 / 'x';
    'f'.'fdeltadelta' := -1.0 / 'x' ^ 2;
    'f'.'ftau' := -1.8171582e-7 / 't' ^ 4 + 4.20549538e-5 / 't' ^ 3 + 1.58860716e-4 / 't' ^ 2 + 17.275266575 - 2.9304513e-4 * sqrt('t') + 2.490888032 / 't' + 0.791309509 * 25.36365 * 'e1' / (1.0 - 'e1') + 0.212236768 * 16.90741 * 'e2' / (1.0 - 'e2') + 0.197938904 * 87.31279 / (1.0 + 2.0 / 3.0 * 'e3');
    'f'.'ftautau' := 7.2686328e-7 / 't' ^ 5 - 1.261648614e-4 / 't' ^ 4 - 3.17721432e-4 / 't' ^ 3 - 1.46522565e-4 / sqrt('t') - 2.490888032 / 't' ^ 2 - 0.791309509 * 25.36365 ^ 2 * 'e1' / (1.0 - 'e1') ^ 2 - 0.212236768 * 16.90741 ^ 2 * 'e2' / (1.0 - 'e2') ^ 2 + 2.0 / 3.0 * 0.197938904 * 87.31279 ^ 2 * 'e3' / (1.0 + 2.0 / 3.0 * 'e3') ^ 2;
    'f'.'fdeltatau' := 0.0;
    for 'k' in 1:19 loop
      'w' := if 'l'['k'] == 0 then 0.0 else 'x' ^ 'l'['k'];
      'q' := 'i'['k'] - 'l'['k'] * 'w';
      'term' := 'n'['k'] * 'x' ^ 'i'['k'] * 't' ^ 'j'['k'] * exp(-'w');
      'f'.'f' := 'f'.'f' + 'term';
      'f'.'fdelta' := 'f'.'fdelta' + 'term' * 'q' / 'x';
      'f'.'fdeltadelta' := 'f'.'fdeltadelta' + 'term' * ('q' * ('q' - 1.0) - 'l'['k'] ^ 2 * 'w') / 'x' ^ 2;
      'f'.'ftau' := 'f'.'ftau' + 'term' * 'j'['k'] / 't';
      'f'.'ftautau' := 'f'.'ftautau' + 'term' * 'j'['k'] * ('j'['k'] - 1.0) / 't' ^ 2;
      'f'.'fdeltatau' := 'f'.'fdeltatau' + 'term' * 'q' * 'j'['k'] / ('x' * 't');
    end for;
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.Basic.Helmholtz';

  function 'Modelica.Media.Air.ReferenceAir.Air_Utilities.Inverses.dofpT' "Density at a pressure and a temperature, by Newton's method from the ideal gas"
    input Real 'p';
    input Real 'T';
    input Real 'delp';
    output Real 'd';
    'Modelica.Media.Common.HelmholtzDerivs' 'f';
    Real 'e';
  algorithm
    'd' := 'p' / (287.117 * 'T');
    for 'k' in 1:100 loop
      'f' := 'Modelica.Media.Air.ReferenceAir.Air_Utilities.Basic.Helmholtz'('d', 'T');
      'e' := 287.117 * 'T' * 'd' * 'f'.'delta' * 'f'.'fdelta' - 'p';
      'd' := 'd' - 'e' / (287.117 * 'T' * 'f'.'delta' * (2.0 * 'f'.'fdelta' + 'f'.'delta' * 'f'.'fdeltadelta'));
      if abs('e') <= 'delp' then
        break;
      end if;
    end for;
  end 'Modelica.Media.Air.ReferenceAir.Air_Utilities.Inverses.dofpT';

  function 'Modelica.Media.Air.MoistAir.Utilities.spliceFunction' "Smooth change from neg to pos around zero"
    input Real 'pos';
    input Real 'neg';
    input Real 'x';
    input Real 'deltax' = 1.0;
    output Real 'out';
    Real 's';
  algorithm
    's' := 'x' / 'deltax';
    if 's' <= -0.999999999 then
      'out' := 'neg';
    elseif 's' >= 0.999999999 then
      'out' := 'pos';
    else
      's' := 0.5 * (tanh(tan(1.5707963267948966 * 's')) + 1.0);
      'out' := 'pos' * 's' + (1.0 - 's') * 'neg';
    end if;
  end 'Modelica.Media.Air.MoistAir.Utilities.spliceFunction';

  function 'Modelica.Media.Air.MoistAir.Utilities.smoothMax' "Larger of two numbers, rounded off over dx"
    input Real 'x1';
    input Real 'x2';
    input Real 'dx';
    output Real 'y';
    Real 'm' = max('x1', 'x2');
  algorithm
    'y' := 'm' + 0.25 * 'dx' * log(exp(4.0 / 'dx' * ('x1' - 'm')) + exp(4.0 / 'dx' * ('x2' - 'm')));
    annotation(smoothOrder = 2);
  end 'Modelica.Media.Air.MoistAir.Utilities.smoothMax';

  function 'Modelica.Media.Air.MoistAir.Utilities.smoothMax_der'
    input Real 'x1';
    input Real 'x2';
    input Real 'dx';
    input Real 'dx1';
    input Real 'dx2';
    input Real 'ddx';
    output Real 'dy';
    Real 'm' = max('x1', 'x2');
    Real 'a';
    Real 'b';
  algorithm
    'a' := exp(4.0 / 'dx' * ('x1' - 'm'));
    'b' := exp(4.0 / 'dx' * ('x2' - 'm'));
    'dy' := ('a' * 'dx1' + 'b' * 'dx2') / ('a' + 'b') + 'ddx' * (0.25 * log('a' + 'b') - ('a' * ('x1' - 'm') + 'b' * ('x2' - 'm')) / ('dx' * ('a' + 'b')));
  end 'Modelica.Media.Air.MoistAir.Utilities.smoothMax_der';

  function 'Modelica.Media.Air.MoistAir.saturationPressureLiquid' "Pressure of steam over liquid water"
    input Real 'Tsat';
    output Real 'psat';
    Real 'r' = 1.0 - 'Tsat' / 647.096;
  algorithm
    'psat' := 22.064e6 * exp(647.096 / 'Tsat' * (-7.85951783 * 'r' + 1.84408259 * 'r' ^ 1.5 - 11.7866497 * 'r' ^ 3 + 22.6807411 * 'r' ^ 3.5 - 15.9618719 * 'r' ^ 4 + 1.80122502 * 'r' ^ 7.5));
    annotation(smoothOrder = 5);
  end 'Modelica.Media.Air.MoistAir.saturationPressureLiquid';

  function 'Modelica.Media.Air.MoistAir.sublimationPressureIce' "Pressure of steam over ice"
    input Real 'Tsat';
    output Real 'psat';
    Real 'r' = 'Tsat' / 273.16;
  algorithm
    'psat' := 611.657 * exp(-13.928169 * (1.0 - 'r' ^ (-1.5)) + 34.7078238 * (1.0 - 'r' ^ (-1.25)));
    annotation(smoothOrder = 5);
  end 'Modelica.Media.Air.MoistAir.sublimationPressureIce';

  function 'Modelica.Media.Air.MoistAir.saturationPressure' "Pressure of steam over water or ice"
    input Real 'Tsat';
    output Real 'psat';
  algorithm
    'psat' := 'Modelica.Media.Air.MoistAir.Utilities.spliceFunction'('Modelica.Media.Air.MoistAir.saturationPressureLiquid'('Tsat'), 'Modelica.Media.Air.MoistAir.sublimationPressureIce'('Tsat'), 'Tsat' - 273.16, 1.0);
    annotation(smoothOrder = 5);
  end 'Modelica.Media.Air.MoistAir.saturationPressure';

  function 'Modelica.Media.Air.MoistAir.saturationPressure_der'
    input Real 'Tsat';
    input Real 'dTsat';
    output Real 'psat_der';
    Real 'r' = 1.0 - 'Tsat' / 647.096;
    Real 'q' = 'Tsat' / 273.16;
    Real 's' = 'Tsat' - 273.16;
    Real 'liquid';
    Real 'ice';
    Real 'dliquid';
    Real 'dice';
    Real 'w';
    Real 'dw';
  algorithm
    'liquid' := 'Modelica.Media.Air.MoistAir.saturationPressureLiquid'('Tsat');
    'ice' := 'Modelica.Media.Air.MoistAir.sublimationPressureIce'('Tsat');
    'dliquid' := -'liquid' / 'Tsat' * (log('liquid' / 22.064e6) - 7.85951783 + 1.5 * 1.84408259 * sqrt('r') - 3.0 * 11.7866497 * 'r' ^ 2 + 3.5 * 22.6807411 * 'r' ^ 2.5 - 4.0 * 15.9618719 * 'r' ^ 3 + 7.5 * 1.80122502 * 'r' ^ 6.5);
    'dice' := 'ice' / 273.16 * (-1.5 * 13.928169 * 'q' ^ (-2.5) + 1.25 * 34.7078238 * 'q' ^ (-2.25));
    if 's' <= -0.999999999 then
      'psat_der' := 'dice' * 'dTsat';
    elseif 's' >= 0.999999999 then
      'psat_der' := 'dliquid' * 'dTsat';
    else
      'w' := 0.5 * (tanh(tan(1.5707963267948966 * 's')) + 1.0);
      'dw' := 0.7853981633974483 / (cosh(tan(1.5707963267948966 * 's')) * cos(1.5707963267948966 * 's')) ^ 2;
      'psat_der' := ('w' * 'dliquid' + (1.0 - 'w') * 'dice' + 'dw' * ('liquid' - 'ice')) * 'dTsat';
    end if;
  end 'Modelica.Media.Air.MoistAir.saturationPressure_der';

  function 'Modelica.Media.Air.MoistAir.saturationTemperature.f_nonlinear'
    input Real 'u';
    input Real 'p';
    output Real 'y';
  algorithm
    'y' := 'Modelica.Media.Air.MoistAir.saturationPressure'('u') - 'p';
  end 'Modelica.Media.Air.MoistAir.saturationTemperature.f_nonlinear';

  function 'Modelica.Media.Air.MoistAir.enthalpyOfWater' "Enthalpy of water or ice with constant heat capacities"
    input Real 'T';
    output Real 'h';
  algorithm
    'h' := 'Modelica.Media.Air.MoistAir.Utilities.spliceFunction'(4200.0 * ('T' - 273.15), 2050.0 * ('T' - 273.15) - 333000.0, 'T' - 273.16, 0.1);
  end 'Modelica.Media.Air.MoistAir.enthalpyOfWater';

  function 'Modelica.Media.Air.MoistAir.enthalpyOfWater_der'
    input Real 'T';
    input Real 'dT';
    output Real 'dh';
    Real 's' = ('T' - 273.16) / 0.1;
    Real 'w';
    Real 'dw';
  algorithm
    if 's' <= -0.999999999 then
      'dh' := 2050.0 * 'dT';
    elseif 's' >= 0.999999999 then
      'dh' := 4200.0 * 'dT';
    else
      'w' := 0.5 * (tanh(tan(1.5707963267948966 * 's')) + 1.0);
      'dw' := 7.853981633974483 / (cosh(tan(1.5707963267948966 * 's')) * cos(1.5707963267948966 * 's')) ^ 2;
      'dh' := ('w' * 4200.0 + (1.0 - 'w') * 2050.0 + 'dw' * (2150.0 * ('T' - 273.15) + 333000.0)) * 'dT';
    end if;
  end 'Modelica.Media.Air.MoistAir.enthalpyOfWater_der';

  function 'Modelica.Media.IdealGases.Common.Functions.cp_Tlow' "Heat capacity by the NASA coefficients of low temperatures"
    input 'Modelica.Media.IdealGases.Common.DataRecord' 'data';
    input Real 'T';
    output Real 'cp';
  algorithm
    'cp' := 'data'.'R_s' * (('data'.'alow'[1] / 'T' + 'data'.'alow'[2]) / 'T' + 'data'.'alow'[3] + 'T' * ('data'.'alow'[4] + 'T' * ('data'.'alow'[5] + 'T' * ('data'.'alow'[6] + 'T' * 'data'.'alow'[7]))));
  end 'Modelica.Media.IdealGases.Common.Functions.cp_Tlow';

  function 'Modelica.Media.IdealGases.Common.Functions.h_Tlow' "Enthalpy by the NASA coefficients of low temperatures"
    input 'Modelica.Media.IdealGases.Common.DataRecord' 'data';
    input Real 'T';
    input Boolean 'exclEnthForm' = true;
    input 'Modelica.Media.Interfaces.Choices.ReferenceEnthalpy' 'refChoice' = 'Modelica.Media.Interfaces.Choices.ReferenceEnthalpy'.'ZeroAt0K';
    input Real 'h_off' = 0.0;
    output Real 'h';
  algorithm
    'h' := 'data'.'R_s' * (-'data'.'alow'[1] / 'T' + 'data'.'blow'[1] + 'data'.'alow'[2] * log('T') + 'T' * ('data'.'alow'[3] + 'T' * ('data'.'alow'[4] / 2.0 + 'T' * ('data'.'alow'[5] / 3.0 + 'T' * ('data'.'alow'[6] / 4.0 + 'T' * 'data'.'alow'[7] / 5.0)))));
    if 'exclEnthForm' then
      'h' := 'h' - 'data'.'Hf';
    end if;
    if 'refChoice' == 'Modelica.Media.Interfaces.Choices.ReferenceEnthalpy'.'ZeroAt0K' then
      'h' := 'h' + 'data'.'H0';
    elseif 'refChoice' == 'Modelica.Media.Interfaces.Choices.ReferenceEnthalpy'.'UserDefined' then
      'h' := 'h' + 'h_off';
    end if;
  end 'Modelica.Media.IdealGases.Common.Functions.h_Tlow';

  function 'Modelica.Media.IdealGases.Common.Functions.h_Tlow_der'
    input 'Modelica.Media.IdealGases.Common.DataRecord' 'data';
    input Real 'T';
    input Boolean 'exclEnthForm' = true;
    input 'Modelica.Media.Interfaces.Choices.ReferenceEnthalpy' 'refChoice' = 'Modelica.Media.Interfaces.Choices.ReferenceEnthalpy'.'ZeroAt0K';
    input Real 'h_off' = 0.0;
    input Real 'dT';
    output Real 'h_der';
  algorithm
    'h_der' := 'dT' * 'Modelica.Media.IdealGases.Common.Functions.cp_Tlow'('data', 'T');
  end 'Modelica.Media.IdealGases.Common.Functions.h_Tlow_der';

  function 'Modelica.Media.IdealGases.Common.Functions.dynamicViscosityLowPressure' "Correlation of Chung et al. (1988)"
    input Real 'T';
    input Real 'Tc';
    input Real 'M';
    input Real 'Vc';
    input Real 'w';
    input Real 'mu';
    input Real 'k' = 0.0;
    output Real 'eta';
    Real 'm' = 0.1313 * 'mu' / sqrt('Vc' * 'Tc');
    Real 't' = 1.2593 * 'T' / 'Tc';
  algorithm
    'eta' := 40.785e-9 * 10.0 ^ (-0.5) * (1.0 - 0.2756 * 'w' + 0.059035 * 'm' ^ 4 + 'k') * sqrt('M' * 'T') / ('Vc' ^ (2.0 / 3.0) * (1.16145 * 't' ^ (-0.14874) + 0.52487 * exp(-0.7732 * 't') + 2.16178 * exp(-2.43787 * 't')));
  end 'Modelica.Media.IdealGases.Common.Functions.dynamicViscosityLowPressure';
end 'Library';
