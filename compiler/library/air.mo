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
    Real 'px'[11] "Powers of the reduced density";
    Real 'ex'[4] "Exponentials of its powers";
    Real 'lt';
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
    'px'[1] := 'x';
    for 'k' in 2:11 loop
      'px'['k'] := 'px'['k' - 1] * 'x';
    end for;
    'ex' := {1.0, exp(-'px'[1]), exp(-'px'[2]), exp(-'px'[3])};
    'lt' := log('t');
    for 'k' in 1:19 loop
      'w' := if 'l'['k'] == 0 then 0.0 else 'px'['l'['k']];
      'q' := 'i'['k'] - 'l'['k'] * 'w';
      'term' := 'n'['k'] * 'px'['i'['k']] * exp('j'['k'] * 'lt') * 'ex'['l'['k'] + 1];
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

  function 'Modelica.Media.Air.MoistAir.enthalpyOfCondensingGas' "Enthalpy of steam"
    input Real 'T';
    output Real 'h';
  algorithm
    'h' := 'Modelica.Media.IdealGases.Common.Functions.h_Tlow'('Modelica.Media.IdealGases.Common.DataRecord'("H2O", 0.01801528, -1.342338281725291e7, 549760.6476280135, 1000.0, {-39479.6083, 575.573102, 0.931782653, 0.00722271286, -7.34255737e-6, 4.95504349e-9, -1.336933246e-12}, {-33039.7431, 17.24205775}, {1.034972096e6, -2412.698562, 4.64611078, 0.002291998307, -6.83683048e-7, 9.42646893e-11, -4.82238053e-15}, {-13842.86509, -7.97814851}, 461.5254384056201), 'T', true, 'Modelica.Media.Interfaces.Choices.ReferenceEnthalpy'.'UserDefined', 46479.819 + 2501014.5);
  end 'Modelica.Media.Air.MoistAir.enthalpyOfCondensingGas';

  function 'Modelica.Media.Air.MoistAir.enthalpyOfNonCondensingGas' "Enthalpy of dry air"
    input Real 'T';
    output Real 'h';
  algorithm
    'h' := 'Modelica.Media.IdealGases.Common.Functions.h_Tlow'('Modelica.Media.IdealGases.Common.DataRecord'("Air", 0.0289651159, -4333.833858403446, 298609.6803431054, 1000.0, {10099.5016, -196.827561, 5.00915511, -0.00576101373, 1.06685993e-5, -7.94029797e-9, 2.18523191e-12}, {-176.796731, -3.921504225}, {241521.443, -1257.8746, 5.14455867, -2.13854179e-4, 7.06522784e-8, -1.07148349e-11, 6.57780015e-16}, {6462.26319, -8.147411905}, 287.0525368759184), 'T', true, 'Modelica.Media.Interfaces.Choices.ReferenceEnthalpy'.'UserDefined', 25104.684);
  end 'Modelica.Media.Air.MoistAir.enthalpyOfNonCondensingGas';

  function 'Modelica.Media.Air.MoistAir.enthalpyOfGas' "Enthalpy without fog"
    input Real 'T';
    input Real 'X'[:];
    output Real 'h';
  algorithm
    'h' := 'X'[1] * 'Modelica.Media.Air.MoistAir.enthalpyOfCondensingGas'('T') + (1.0 - 'X'[1]) * 'Modelica.Media.Air.MoistAir.enthalpyOfNonCondensingGas'('T');
  end 'Modelica.Media.Air.MoistAir.enthalpyOfGas';

  function 'Modelica.Media.Air.MoistAir.heatCapacityOfCondensingGas' "Heat capacity of steam"
    input Real 'T';
    output Real 'cp';
  algorithm
    'cp' := 'Modelica.Media.IdealGases.Common.Functions.cp_Tlow'('Modelica.Media.IdealGases.Common.DataRecord'("H2O", 0.01801528, -1.342338281725291e7, 549760.6476280135, 1000.0, {-39479.6083, 575.573102, 0.931782653, 0.00722271286, -7.34255737e-6, 4.95504349e-9, -1.336933246e-12}, {-33039.7431, 17.24205775}, {1.034972096e6, -2412.698562, 4.64611078, 0.002291998307, -6.83683048e-7, 9.42646893e-11, -4.82238053e-15}, {-13842.86509, -7.97814851}, 461.5254384056201), 'T');
  end 'Modelica.Media.Air.MoistAir.heatCapacityOfCondensingGas';

  function 'Modelica.Media.Air.MoistAir.heatCapacityOfNonCondensingGas' "Heat capacity of dry air"
    input Real 'T';
    output Real 'cp';
  algorithm
    'cp' := 'Modelica.Media.IdealGases.Common.Functions.cp_Tlow'('Modelica.Media.IdealGases.Common.DataRecord'("Air", 0.0289651159, -4333.833858403446, 298609.6803431054, 1000.0, {10099.5016, -196.827561, 5.00915511, -0.00576101373, 1.06685993e-5, -7.94029797e-9, 2.18523191e-12}, {-176.796731, -3.921504225}, {241521.443, -1257.8746, 5.14455867, -2.13854179e-4, 7.06522784e-8, -1.07148349e-11, 6.57780015e-16}, {6462.26319, -8.147411905}, 287.0525368759184), 'T');
  end 'Modelica.Media.Air.MoistAir.heatCapacityOfNonCondensingGas';

  function 'Modelica.Media.Air.MoistAir.h_pTX' "Enthalpy with fog of water or ice"
    input Real 'p';
    input Real 'T';
    input Real 'X'[:];
    output Real 'h';
    Real 'psat';
    Real 'liquid';
  algorithm
    'psat' := 'Modelica.Media.Air.MoistAir.saturationPressure'('T');
    'liquid' := max('X'[1] - min('psat' * 0.6219647130774989 / max(2.220446049250313e-14, 'p' - 'psat') * (1.0 - 'X'[1]), 1.0), 0.0);
    'h' := ('X'[1] - 'liquid') * 'Modelica.Media.Air.MoistAir.enthalpyOfCondensingGas'('T') + (1.0 - 'X'[1]) * 'Modelica.Media.Air.MoistAir.enthalpyOfNonCondensingGas'('T') + 'liquid' * 'Modelica.Media.Air.MoistAir.enthalpyOfWater'('T');
    annotation(derivative = 'Modelica.Media.Air.MoistAir.h_pTX_der');
  end 'Modelica.Media.Air.MoistAir.h_pTX';

  function 'Modelica.Media.Air.MoistAir.h_pTX_der'
    input Real 'p';
    input Real 'T';
    input Real 'X'[:];
    input Real 'dp';
    input Real 'dT';
    input Real 'dX'[:];
    output Real 'h_der';
    Real 'psat';
    Real 'dpsat';
    Real 'x';
    Real 'dx';
    Real 'over';
    Real 'dover';
    Real 'liquid';
    Real 'dliquid';
  algorithm
    'psat' := 'Modelica.Media.Air.MoistAir.saturationPressure'('T');
    'dpsat' := 'Modelica.Media.Air.MoistAir.saturationPressure_der'('T', 'dT');
    'x' := 'psat' * 0.6219647130774989 / max(2.220446049250313e-14, 'p' - 'psat');
    'dx' := 0.6219647130774989 * ('dpsat' * 'p' - 'psat' * 'dp') / ('p' - 'psat') ^ 2;
    'over' := 'X'[1] - min('x' * (1.0 - 'X'[1]), 1.0);
    'dover' := (1.0 + 'x') * 'dX'[1] - (1.0 - 'X'[1]) * 'dx';
    'liquid' := 'Modelica.Media.Air.MoistAir.Utilities.smoothMax'('over', 0.0, 1e-5);
    'dliquid' := 'Modelica.Media.Air.MoistAir.Utilities.smoothMax_der'('over', 0.0, 1e-5, 'dover', 0.0, 0.0);
    'h_der' := ('X'[1] - 'liquid') * 'Modelica.Media.Air.MoistAir.heatCapacityOfCondensingGas'('T') * 'dT' + ('dX'[1] - 'dliquid') * 'Modelica.Media.Air.MoistAir.enthalpyOfCondensingGas'('T') + (1.0 - 'X'[1]) * 'Modelica.Media.Air.MoistAir.heatCapacityOfNonCondensingGas'('T') * 'dT' - 'dX'[1] * 'Modelica.Media.Air.MoistAir.enthalpyOfNonCondensingGas'('T') + 'liquid' * 'Modelica.Media.Air.MoistAir.enthalpyOfWater_der'('T', 'dT') + 'dliquid' * 'Modelica.Media.Air.MoistAir.enthalpyOfWater'('T');
  end 'Modelica.Media.Air.MoistAir.h_pTX_der';

  function 'Modelica.Media.Air.MoistAir.s_pTX' "Entropy without fog"
    input Real 'p';
    input Real 'T';
    input Real 'X'[:];
    output Real 's';
    Real 'n1';
    Real 'n2';
  algorithm
    'n1' := 'X'[1] / 0.01801528;
    'n2' := (1.0 - 'X'[1]) / 0.0289651159;
    's' := 'Modelica.Media.IdealGases.Common.Functions.s0_Tlow'('Modelica.Media.IdealGases.Common.DataRecord'("Air", 0.0289651159, -4333.833858403446, 298609.6803431054, 1000.0, {10099.5016, -196.827561, 5.00915511, -0.00576101373, 1.06685993e-5, -7.94029797e-9, 2.18523191e-12}, {-176.796731, -3.921504225}, {241521.443, -1257.8746, 5.14455867, -2.13854179e-4, 7.06522784e-8, -1.07148349e-11, 6.57780015e-16}, {6462.26319, -8.147411905}, 287.0525368759184), 'T') * (1.0 - 'X'[1]) + 'Modelica.Media.IdealGases.Common.Functions.s0_Tlow'('Modelica.Media.IdealGases.Common.DataRecord'("H2O", 0.01801528, -1.342338281725291e7, 549760.6476280135, 1000.0, {-39479.6083, 575.573102, 0.931782653, 0.00722271286, -7.34255737e-6, 4.95504349e-9, -1.336933246e-12}, {-33039.7431, 17.24205775}, {1.034972096e6, -2412.698562, 4.64611078, 0.002291998307, -6.83683048e-7, 9.42646893e-11, -4.82238053e-15}, {-13842.86509, -7.97814851}, 461.5254384056201), 'T') * 'X'[1] - 8.31446261815324 * ('Modelica.Media.Air.MoistAir.Utilities.smoothMax'('n1', 0.0, 1e-9) * log(max('n1' / ('n1' + 'n2'), 2.220446049250313e-16) * 'p' / 101325.0) + 'Modelica.Media.Air.MoistAir.Utilities.smoothMax'('n2', 0.0, 1e-9) * log(max('n2' / ('n1' + 'n2'), 2.220446049250313e-16) * 'p' / 101325.0));
  end 'Modelica.Media.Air.MoistAir.s_pTX';

  function 'Modelica.Media.Air.MoistAir.T_phX.f_nonlinear'
    input Real 'u';
    input Real 'p';
    input Real 'h';
    input Real 'X'[:];
    output Real 'y';
  algorithm
    'y' := 'Modelica.Media.Air.MoistAir.h_pTX'('p', 'u', 'X') - 'h';
  end 'Modelica.Media.Air.MoistAir.T_phX.f_nonlinear';

  function 'Modelica.Media.Air.MoistAir.T_phX' "Temperature between 190 K and 647 K"
    input Real 'p';
    input Real 'h';
    input Real 'X'[:];
    output Real 'T';
    Real 'low' = 190.0;
    Real 'high' = 647.0;
    Real 'f_low';
    Real 'f_high';
    Real 'f';
    Integer 'side' = 0;
  algorithm
    'f_low' := 'Modelica.Media.Air.MoistAir.h_pTX'('p', 'low', 'X') - 'h';
    'f_high' := 'Modelica.Media.Air.MoistAir.h_pTX'('p', 'high', 'X') - 'h';
    assert('f_low' <= 0.0 and 'f_high' >= 0.0, "no temperature between 190 K and 647 K has this value", AssertionLevel.error);
    'T' := 'low';
    // The rule of false position, with the weight of an end that stays halved (Illinois).
    for 'i' in 1:200 loop
      if 'high' - 'low' <= 1e-12 * 'high' or 'f_low' == 'f_high' then
        break;
      end if;
      'T' := ('low' * 'f_high' - 'high' * 'f_low') / ('f_high' - 'f_low');
      'f' := 'Modelica.Media.Air.MoistAir.h_pTX'('p', 'T', 'X') - 'h';
      if 'f' == 0.0 then
        break;
      elseif 'f' < 0.0 then
        'low' := 'T';
        'f_low' := 'f';
        'f_high' := if 'side' == -1 then 0.5 * 'f_high' else 'f_high';
        'side' := -1;
      else
        'high' := 'T';
        'f_high' := 'f';
        'f_low' := if 'side' == 1 then 0.5 * 'f_low' else 'f_low';
        'side' := 1;
      end if;
    end for;
  end 'Modelica.Media.Air.MoistAir.T_phX';

  function 'Modelica.Media.Air.MoistAir.T_psX.f_nonlinear'
    input Real 'u';
    input Real 'p';
    input Real 's';
    input Real 'X'[:];
    output Real 'y';
  algorithm
    'y' := 'Modelica.Media.Air.MoistAir.s_pTX'('p', 'u', 'X') - 's';
  end 'Modelica.Media.Air.MoistAir.T_psX.f_nonlinear';

  function 'Modelica.Media.Air.MoistAir.T_psX' "Temperature between 190 K and 647 K"
    input Real 'p';
    input Real 's';
    input Real 'X'[:];
    output Real 'T';
    Real 'low' = 190.0;
    Real 'high' = 647.0;
    Real 'f_low';
    Real 'f_high';
    Real 'f';
    Integer 'side' = 0;
  algorithm
    'f_low' := 'Modelica.Media.Air.MoistAir.s_pTX'('p', 'low', 'X') - 's';
    'f_high' := 'Modelica.Media.Air.MoistAir.s_pTX'('p', 'high', 'X') - 's';
    assert('f_low' <= 0.0 and 'f_high' >= 0.0, "no temperature between 190 K and 647 K has this value", AssertionLevel.error);
    'T' := 'low';
    // The rule of false position, with the weight of an end that stays halved (Illinois).
    for 'i' in 1:200 loop
      if 'high' - 'low' <= 1e-12 * 'high' or 'f_low' == 'f_high' then
        break;
      end if;
      'T' := ('low' * 'f_high' - 'high' * 'f_low') / ('f_high' - 'f_low');
      'f' := 'Modelica.Media.Air.MoistAir.s_pTX'('p', 'T', 'X') - 's';
      if 'f' == 0.0 then
        break;
      elseif 'f' < 0.0 then
        'low' := 'T';
        'f_low' := 'f';
        'f_high' := if 'side' == -1 then 0.5 * 'f_high' else 'f_high';
        'side' := -1;
      else
        'high' := 'T';
        'f_high' := 'f';
        'f_low' := if 'side' == 1 then 0.5 * 'f_low' else 'f_low';
        'side' := 1;
      end if;
    end for;
  end 'Modelica.Media.Air.MoistAir.T_psX';

  function 'Modelica.Media.Air.MoistAir.saturationPressureLiquid_der'
    input Real 'Tsat';
    input Real 'dTsat';
    output Real 'psat_der';
    Real 'r' = 1.0 - 'Tsat' / 647.096;
    Real 'psat';
  algorithm
    'psat' := 'Modelica.Media.Air.MoistAir.saturationPressureLiquid'('Tsat');
    'psat_der' := -'psat' / 'Tsat' * 'dTsat' * (log('psat' / 22.064e6) - 7.85951783 + 1.5 * 1.84408259 * sqrt('r') - 3.0 * 11.7866497 * 'r' ^ 2 + 3.5 * 22.6807411 * 'r' ^ 2.5 - 4.0 * 15.9618719 * 'r' ^ 3 + 7.5 * 1.80122502 * 'r' ^ 6.5);
  end 'Modelica.Media.Air.MoistAir.saturationPressureLiquid_der';

  function 'Modelica.Media.Air.MoistAir.sublimationPressureIce_der'
    input Real 'Tsat';
    input Real 'dTsat';
    output Real 'psat_der';
    Real 'q' = 'Tsat' / 273.16;
  algorithm
    'psat_der' := 'Modelica.Media.Air.MoistAir.sublimationPressureIce'('Tsat') / 273.16 * 'dTsat' * (-1.5 * 13.928169 * 'q' ^ (-2.5) + 1.25 * 34.7078238 * 'q' ^ (-2.25));
  end 'Modelica.Media.Air.MoistAir.sublimationPressureIce_der';

  function 'Modelica.Media.Air.MoistAir.Utilities.spliceFunction_der'
    input Real 'pos';
    input Real 'neg';
    input Real 'x';
    input Real 'deltax' = 1.0;
    input Real 'dpos';
    input Real 'dneg';
    input Real 'dx';
    input Real 'ddeltax' = 0.0;
    output Real 'out';
    Real 's' = 'x' / 'deltax';
    Real 'w';
  algorithm
    if 's' <= -0.999999999 then
      'out' := 'dneg';
    elseif 's' >= 0.999999999 then
      'out' := 'dpos';
    else
      'w' := 0.5 * (tanh(tan(1.5707963267948966 * 's')) + 1.0);
      'out' := 'dpos' * 'w' + (1.0 - 'w') * 'dneg' + ('pos' - 'neg') * ('dx' - 's' * 'ddeltax') / 'deltax' * 0.7853981633974483 / (cosh(tan(1.5707963267948966 * 's')) * cos(1.5707963267948966 * 's')) ^ 2;
    end if;
  end 'Modelica.Media.Air.MoistAir.Utilities.spliceFunction_der';

  function 'Modelica.Media.Air.MoistAir.relativeHumidity_pTX'
    input Real 'p';
    input Real 'T';
    input Real 'X'[:];
    output Real 'phi';
  algorithm
    'phi' := max(0.0, min(1.0, 'p' / min('Modelica.Media.Air.MoistAir.saturationPressure'('T'), 0.999 * 'p') * 'X'[1] / ('X'[1] + 0.6219647130774989 * (1.0 - 'X'[1]))));
  end 'Modelica.Media.Air.MoistAir.relativeHumidity_pTX';

  function 'Modelica.Media.Air.MoistAir.xsaturation_pT'
    input Real 'p';
    input Real 'T';
    output Real 'x_sat';
    Real 'psat' = 'Modelica.Media.Air.MoistAir.saturationPressure'('T');
  algorithm
    'x_sat' := 0.6219647130774989 * 'psat' / max(2.220446049250313e-14, 'p' - 'psat');
  end 'Modelica.Media.Air.MoistAir.xsaturation_pT';

  function 'Modelica.Media.Air.MoistAir.massFraction_pTphi'
    input Real 'p';
    input Real 'T';
    input Real 'phi';
    output Real 'X_steam';
  algorithm
    'X_steam' := 'phi' * 0.621964713077499 / (0.621964713077499 * 'phi' + 'p' / 'Modelica.Media.Air.MoistAir.saturationPressure'('T') - 'phi');
  end 'Modelica.Media.Air.MoistAir.massFraction_pTphi';

  function 'Modelica.Media.Air.MoistAir.gasConstant' "Gas constant without fog"
    input 'Modelica.Media.Air.MoistAir.ThermodynamicState' 'state';
    output Real 'R_s';
  algorithm
    'R_s' := 287.0525368759184 * (1.0 - 'state'.'X'[1]) + 461.5254384056201 * 'state'.'X'[1];
  end 'Modelica.Media.Air.MoistAir.gasConstant';

  function 'Modelica.Media.Air.MoistAir.specificHeatCapacityCp'
    input 'Modelica.Media.Air.MoistAir.ThermodynamicState' 'state';
    output Real 'cp';
  algorithm
    'cp' := 'Modelica.Media.Air.MoistAir.h_pTX_der'('state'.'p', 'state'.'T', 'state'.'X', 0.0, 1.0, zeros(size('state'.'X', 1)));
  end 'Modelica.Media.Air.MoistAir.specificHeatCapacityCp';

  function 'Modelica.Media.Air.MoistAir.specificHeatCapacityCv'
    input 'Modelica.Media.Air.MoistAir.ThermodynamicState' 'state';
    output Real 'cv';
  algorithm
    'cv' := 'Modelica.Media.Air.MoistAir.heatCapacityOfNonCondensingGas'('state'.'T') * (1.0 - 'state'.'X'[1]) + 'Modelica.Media.Air.MoistAir.heatCapacityOfCondensingGas'('state'.'T') * 'state'.'X'[1] - 'Modelica.Media.Air.MoistAir.gasConstant'('state');
  end 'Modelica.Media.Air.MoistAir.specificHeatCapacityCv';

  function 'Modelica.Media.Air.MoistAir.isentropicExponent'
    input 'Modelica.Media.Air.MoistAir.ThermodynamicState' 'state';
    output Real 'gamma';
  algorithm
    'gamma' := 'Modelica.Media.Air.MoistAir.specificHeatCapacityCp'('state') / 'Modelica.Media.Air.MoistAir.specificHeatCapacityCv'('state');
  end 'Modelica.Media.Air.MoistAir.isentropicExponent';
end 'Library';
