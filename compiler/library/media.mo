//! base 0.1.0
// Ideal gases by the coefficients of NASA TP-2002-211556, their mixtures, and incompressible media that are fits of tables, by the
// interfaces and formulas of Modelica.Media. Names of a medium's own package are those of the component where the file has them;
// `data` of a gas or a mixture stands for the records that the file writes into the functions of the component's medium.
package 'Library'
  record 'Modelica.Media.IdealGases.Common.DataRecord'
    String 'name';
    Real 'MM';
    Real 'Hf';
    Real 'H0';
    Real 'Tlimit';
    Real 'alow'[7];
    Real 'blow'[2];
    Real 'ahigh'[7];
    Real 'bhigh'[2];
    Real 'R_s';
  end 'Modelica.Media.IdealGases.Common.DataRecord';

  type 'Modelica.Media.Interfaces.Choices.ReferenceEnthalpy' = enumeration('ZeroAt0K', 'ZeroAt25C', 'UserDefined');

  function 'Modelica.Media.IdealGases.Common.Functions.cp_T' "Heat capacity by the NASA coefficients"
    input 'Modelica.Media.IdealGases.Common.DataRecord' 'data';
    input Real 'T';
    output Real 'cp';
  algorithm
    'cp' := smooth(0, if 'T' < 'data'.'Tlimit' then 'data'.'R_s' * (('data'.'alow'[1] / 'T' + 'data'.'alow'[2]) / 'T' + 'data'.'alow'[3] + 'T' * ('data'.'alow'[4] + 'T' * ('data'.'alow'[5] + 'T' * ('data'.'alow'[6] + 'T' * 'data'.'alow'[7])))) else 'data'.'R_s' * (('data'.'ahigh'[1] / 'T' + 'data'.'ahigh'[2]) / 'T' + 'data'.'ahigh'[3] + 'T' * ('data'.'ahigh'[4] + 'T' * ('data'.'ahigh'[5] + 'T' * ('data'.'ahigh'[6] + 'T' * 'data'.'ahigh'[7])))));
    annotation(smoothOrder = 2);
  end 'Modelica.Media.IdealGases.Common.Functions.cp_T';

  function 'Modelica.Media.IdealGases.Common.Functions.cp_Tlow_der'
    input 'Modelica.Media.IdealGases.Common.DataRecord' 'data';
    input Real 'T';
    input Real 'dT';
    output Real 'cp_der';
  algorithm
    'cp_der' := 'dT' * 'data'.'R_s' * ((-2.0 * 'data'.'alow'[1] / 'T' - 'data'.'alow'[2]) / 'T' ^ 2 + 'data'.'alow'[4] + 'T' * (2.0 * 'data'.'alow'[5] + 'T' * (3.0 * 'data'.'alow'[6] + 'T' * 4.0 * 'data'.'alow'[7])));
  end 'Modelica.Media.IdealGases.Common.Functions.cp_Tlow_der';

  function 'Modelica.Media.IdealGases.Common.Functions.h_T' "Enthalpy by the NASA coefficients"
    input 'Modelica.Media.IdealGases.Common.DataRecord' 'data';
    input Real 'T';
    input Boolean 'exclEnthForm' = true;
    input 'Modelica.Media.Interfaces.Choices.ReferenceEnthalpy' 'refChoice' = 'Modelica.Media.Interfaces.Choices.ReferenceEnthalpy'.'ZeroAt0K';
    input Real 'h_off' = 0.0;
    output Real 'h';
  algorithm
    'h' := smooth(0, if 'T' < 'data'.'Tlimit' then 'data'.'R_s' * (-'data'.'alow'[1] / 'T' + 'data'.'blow'[1] + 'data'.'alow'[2] * log('T') + 'T' * ('data'.'alow'[3] + 'T' * ('data'.'alow'[4] / 2.0 + 'T' * ('data'.'alow'[5] / 3.0 + 'T' * ('data'.'alow'[6] / 4.0 + 'T' * 'data'.'alow'[7] / 5.0))))) else 'data'.'R_s' * (-'data'.'ahigh'[1] / 'T' + 'data'.'bhigh'[1] + 'data'.'ahigh'[2] * log('T') + 'T' * ('data'.'ahigh'[3] + 'T' * ('data'.'ahigh'[4] / 2.0 + 'T' * ('data'.'ahigh'[5] / 3.0 + 'T' * ('data'.'ahigh'[6] / 4.0 + 'T' * 'data'.'ahigh'[7] / 5.0))))));
    if 'exclEnthForm' then
      'h' := 'h' - 'data'.'Hf';
    end if;
    if 'refChoice' == 'Modelica.Media.Interfaces.Choices.ReferenceEnthalpy'.'ZeroAt0K' then
      'h' := 'h' + 'data'.'H0';
    elseif 'refChoice' == 'Modelica.Media.Interfaces.Choices.ReferenceEnthalpy'.'UserDefined' then
      'h' := 'h' + 'h_off';
    end if;
    annotation(smoothOrder = 2);
  end 'Modelica.Media.IdealGases.Common.Functions.h_T';

  function 'Modelica.Media.IdealGases.Common.Functions.h_T_der'
    input 'Modelica.Media.IdealGases.Common.DataRecord' 'data';
    input Real 'T';
    input Boolean 'exclEnthForm' = true;
    input 'Modelica.Media.Interfaces.Choices.ReferenceEnthalpy' 'refChoice' = 'Modelica.Media.Interfaces.Choices.ReferenceEnthalpy'.'ZeroAt0K';
    input Real 'h_off' = 0.0;
    input Real 'dT';
    output Real 'h_der';
  algorithm
    'h_der' := 'dT' * 'Modelica.Media.IdealGases.Common.Functions.cp_T'('data', 'T');
  end 'Modelica.Media.IdealGases.Common.Functions.h_T_der';

  function 'Modelica.Media.IdealGases.Common.Functions.s0_T' "Entropy at the reference pressure by the NASA coefficients"
    input 'Modelica.Media.IdealGases.Common.DataRecord' 'data';
    input Real 'T';
    output Real 's';
  algorithm
    's' := noEvent(if 'T' < 'data'.'Tlimit' then 'data'.'R_s' * ('data'.'blow'[2] - 'data'.'alow'[1] / (2.0 * 'T' ^ 2) - 'data'.'alow'[2] / 'T' + 'data'.'alow'[3] * log('T') + 'T' * ('data'.'alow'[4] + 'T' * ('data'.'alow'[5] / 2.0 + 'T' * ('data'.'alow'[6] / 3.0 + 'T' * 'data'.'alow'[7] / 4.0)))) else 'data'.'R_s' * ('data'.'bhigh'[2] - 'data'.'ahigh'[1] / (2.0 * 'T' ^ 2) - 'data'.'ahigh'[2] / 'T' + 'data'.'ahigh'[3] * log('T') + 'T' * ('data'.'ahigh'[4] + 'T' * ('data'.'ahigh'[5] / 2.0 + 'T' * ('data'.'ahigh'[6] / 3.0 + 'T' * 'data'.'ahigh'[7] / 4.0)))));
    annotation(smoothOrder = 2);
  end 'Modelica.Media.IdealGases.Common.Functions.s0_T';

  function 'Modelica.Media.IdealGases.Common.Functions.s0_Tlow' "Entropy at the reference pressure by the NASA coefficients of low temperatures"
    input 'Modelica.Media.IdealGases.Common.DataRecord' 'data';
    input Real 'T';
    output Real 's';
  algorithm
    's' := 'data'.'R_s' * ('data'.'blow'[2] - 'data'.'alow'[1] / (2.0 * 'T' ^ 2) - 'data'.'alow'[2] / 'T' + 'data'.'alow'[3] * log('T') + 'T' * ('data'.'alow'[4] + 'T' * ('data'.'alow'[5] / 2.0 + 'T' * ('data'.'alow'[6] / 3.0 + 'T' * 'data'.'alow'[7] / 4.0))));
    annotation(smoothOrder = 2);
  end 'Modelica.Media.IdealGases.Common.Functions.s0_Tlow';

  function 'Modelica.Media.IdealGases.Common.Functions.s0_Tlow_der' "Slope of the entropy at the reference pressure"
    input 'Modelica.Media.IdealGases.Common.DataRecord' 'data';
    input Real 'T';
    input Real 'T_der';
    output Real 's';
  algorithm
    's' := 'T_der' * 'Modelica.Media.IdealGases.Common.Functions.cp_Tlow'('data', 'T') / 'T';
  end 'Modelica.Media.IdealGases.Common.Functions.s0_Tlow_der';

  function 'Modelica.Media.IdealGases.Common.Functions.thermalConductivityEstimate' "Correlations of Eucken: the plain one and the modified one"
    input Real 'Cp';
    input Real 'eta';
    input Integer 'method' = 1;
    input 'Modelica.Media.IdealGases.Common.DataRecord' 'data';
    output Real 'lambda';
  algorithm
    'lambda' := if 'method' == 1 then 'eta' * ('Cp' + 1.25 * 'data'.'R_s') else 'eta' * ('Cp' - 'data'.'R_s') * (1.32 + 1.77 / ('Cp' / 8.31446261815324 - 1.0));
    annotation(smoothOrder = 2);
  end 'Modelica.Media.IdealGases.Common.Functions.thermalConductivityEstimate';

  function 'Modelica.Media.IdealGases.Common.SingleGasNasa.T_h.f_nonlinear'
    input Real 'u';
    input 'Modelica.Media.IdealGases.Common.DataRecord' 'data';
    input Real 'h';
    output Real 'y';
  algorithm
    'y' := 'Modelica.Media.IdealGases.Common.Functions.h_T'('data', 'u') - 'h';
  end 'Modelica.Media.IdealGases.Common.SingleGasNasa.T_h.f_nonlinear';

  function 'Modelica.Media.IdealGases.Common.SingleGasNasa.T_ps.f_nonlinear'
    input Real 'u';
    input 'Modelica.Media.IdealGases.Common.DataRecord' 'data';
    input Real 'p';
    input Real 's';
    output Real 'y';
  algorithm
    'y' := 'Modelica.Media.IdealGases.Common.Functions.s0_T'('data', 'u') - 'data'.'R_s' * log('p' / 101325.0) - 's';
  end 'Modelica.Media.IdealGases.Common.SingleGasNasa.T_ps.f_nonlinear';

  function 'Modelica.Media.IdealGases.Common.MixtureGasNasa.T_hX.f_nonlinear' "The mixture is known to the file alone"
    input Real 'u';
    input Real 'h';
    input Real 'X'[:];
    input Boolean 'exclEnthForm';
    input 'Modelica.Media.Interfaces.Choices.ReferenceEnthalpy' 'refChoice';
    input Real 'h_off';
    output Real 'y';
  algorithm
    'y' := 'Modelica.Media.IdealGases.Common.MixtureGasNasa.h_TX'('u', 'X', 'exclEnthForm', 'refChoice', 'h_off') - 'h';
  end 'Modelica.Media.IdealGases.Common.MixtureGasNasa.T_hX.f_nonlinear';

  function 'Modelica.Media.IdealGases.Common.MixtureGasNasa.T_psX.f_nonlinear' "The mixture is known to the file alone"
    input Real 'u';
    input Real 'p';
    input Real 's';
    input Real 'X'[:];
    output Real 'y';
  algorithm
    'y' := 'Modelica.Media.IdealGases.Common.MixtureGasNasa.specificEntropyOfpTX'('p', 'u', 'X') - 's';
  end 'Modelica.Media.IdealGases.Common.MixtureGasNasa.T_psX.f_nonlinear';

  function 'Modelica.Media.IdealGases.Common.MixtureGasNasa.gasMixtureViscosity' "Viscosity of a mixture by the rule of Wilke"
    input Real 'yi'[:];
    input Real 'M'[size('yi', 1)];
    input Real 'eta'[size('yi', 1)];
    output Real 'etam';
    Real 'w';
  algorithm
    'etam' := 0.0;
    for 'i' in 1:size('yi', 1) loop
      'w' := 0.0;
      for 'j' in 1:size('yi', 1) loop
        'w' := 'w' + 'yi'['j'] * (1.0 + sqrt('eta'['i'] / 'eta'['j']) * ('M'['j'] / 'M'['i']) ^ 0.25) ^ 2 / sqrt(8.0 * (1.0 + 'M'['i'] / 'M'['j']));
      end for;
      'etam' := 'etam' + 'yi'['i'] * 'eta'['i'] / 'w';
    end for;
    annotation(smoothOrder = 2);
  end 'Modelica.Media.IdealGases.Common.MixtureGasNasa.gasMixtureViscosity';

  function 'Modelica.Media.IdealGases.Common.MixtureGasNasa.lowPressureThermalConductivity' "Conductivity of a mixture by the rule of Mason and Saxena"
    input Real 'y'[:];
    input Real 'T';
    input Real 'Tc'[size('y', 1)];
    input Real 'Pc'[size('y', 1)];
    input Real 'M'[size('y', 1)];
    input Real 'lambda'[size('y', 1)];
    output Real 'lambdam';
    Real 'k'[size('y', 1)];
    Real 'w';
  algorithm
    for 'i' in 1:size('y', 1) loop
      'k'['i'] := 210.0 * ('Tc'['i'] * 'M'['i'] ^ 3 / 'Pc'['i'] ^ 4) ^ (1.0 / 6.0) / (exp(0.0464 * 'T' / 'Tc'['i']) - exp(-0.2412 * 'T' / 'Tc'['i']));
    end for;
    'lambdam' := 0.0;
    for 'i' in 1:size('y', 1) loop
      'w' := 0.0;
      for 'j' in 1:size('y', 1) loop
        'w' := 'w' + 'y'['j'] * (1.0 + sqrt('k'['j'] / 'k'['i']) * ('M'['i'] / 'M'['j']) ^ 0.25) ^ 2 / sqrt(8.0 * (1.0 + 'M'['i'] / 'M'['j']));
      end for;
      'lambdam' := 'lambdam' + 'y'['i'] * 'lambda'['i'] / 'w';
    end for;
    annotation(smoothOrder = 2);
  end 'Modelica.Media.IdealGases.Common.MixtureGasNasa.lowPressureThermalConductivity';

  function 'Modelica.Media.IdealGases.Common.MixtureGasNasa.MixEntropy' "Entropy of mixing over the gas constant"
    input Real 'x'[:];
    output Real 'smix';
  algorithm
    'smix' := sum(if 'x'['i'] > 2.220446049250313e-16 then -'x'['i'] * log('x'['i']) else 'x'['i'] for 'i' in 1:size('x', 1));
  end 'Modelica.Media.IdealGases.Common.MixtureGasNasa.MixEntropy';

  function 'Modelica.Media.IdealGases.Common.SingleGasNasa.density' "Density of an ideal gas"
    input 'Modelica.Media.IdealGases.Common.SingleGasNasa.ThermodynamicState' 'state';
    output Real 'd';
  algorithm
    'd' := 'state'.'p' / ('Modelica.Media.IdealGases.Common.SingleGasNasa.data'.'R_s' * 'state'.'T');
    annotation(smoothOrder = 2);
  end 'Modelica.Media.IdealGases.Common.SingleGasNasa.density';

  function 'Modelica.Media.IdealGases.Common.SingleGasNasa.specificEnthalpy' "Enthalpy by the NASA coefficients"
    input 'Modelica.Media.IdealGases.Common.SingleGasNasa.ThermodynamicState' 'state';
    output Real 'h';
  algorithm
    'h' := 'Modelica.Media.IdealGases.Common.Functions.h_T'('Modelica.Media.IdealGases.Common.SingleGasNasa.data', 'state'.'T');
    annotation(smoothOrder = 2);
  end 'Modelica.Media.IdealGases.Common.SingleGasNasa.specificEnthalpy';

  function 'Modelica.Media.IdealGases.Common.SingleGasNasa.specificEntropy' "Entropy; the reference is one atmosphere"
    input 'Modelica.Media.IdealGases.Common.SingleGasNasa.ThermodynamicState' 'state';
    output Real 's';
  algorithm
    's' := 'Modelica.Media.IdealGases.Common.Functions.s0_T'('Modelica.Media.IdealGases.Common.SingleGasNasa.data', 'state'.'T') - 'Modelica.Media.IdealGases.Common.SingleGasNasa.data'.'R_s' * log('state'.'p' / 101325.0);
    annotation(smoothOrder = 2);
  end 'Modelica.Media.IdealGases.Common.SingleGasNasa.specificEntropy';

  function 'Modelica.Media.IdealGases.Common.SingleGasNasa.specificHeatCapacityCp' "Heat capacity at constant pressure"
    input 'Modelica.Media.IdealGases.Common.SingleGasNasa.ThermodynamicState' 'state';
    output Real 'cp';
  algorithm
    'cp' := 'Modelica.Media.IdealGases.Common.Functions.cp_T'('Modelica.Media.IdealGases.Common.SingleGasNasa.data', 'state'.'T');
    annotation(smoothOrder = 2);
  end 'Modelica.Media.IdealGases.Common.SingleGasNasa.specificHeatCapacityCp';

  function 'Modelica.Media.IdealGases.Common.SingleGasNasa.specificHeatCapacityCv' "Heat capacity at constant volume"
    input 'Modelica.Media.IdealGases.Common.SingleGasNasa.ThermodynamicState' 'state';
    output Real 'cv';
  algorithm
    'cv' := 'Modelica.Media.IdealGases.Common.Functions.cp_T'('Modelica.Media.IdealGases.Common.SingleGasNasa.data', 'state'.'T') - 'Modelica.Media.IdealGases.Common.SingleGasNasa.data'.'R_s';
    annotation(smoothOrder = 2);
  end 'Modelica.Media.IdealGases.Common.SingleGasNasa.specificHeatCapacityCv';

  function 'Modelica.Media.IdealGases.Common.SingleGasNasa.isentropicExponent' "Ratio of the heat capacities"
    input 'Modelica.Media.IdealGases.Common.SingleGasNasa.ThermodynamicState' 'state';
    output Real 'gamma';
  algorithm
    'gamma' := 'Modelica.Media.IdealGases.Common.SingleGasNasa.specificHeatCapacityCp'('state') / 'Modelica.Media.IdealGases.Common.SingleGasNasa.specificHeatCapacityCv'('state');
    annotation(smoothOrder = 2);
  end 'Modelica.Media.IdealGases.Common.SingleGasNasa.isentropicExponent';

  function 'Modelica.Media.IdealGases.Common.SingleGasNasa.molarMass' "Molar mass"
    input 'Modelica.Media.IdealGases.Common.SingleGasNasa.ThermodynamicState' 'state';
    output Real 'MM';
  algorithm
    'MM' := 'Modelica.Media.IdealGases.Common.SingleGasNasa.data'.'MM';
    annotation(smoothOrder = 2);
  end 'Modelica.Media.IdealGases.Common.SingleGasNasa.molarMass';

  function 'Modelica.Media.IdealGases.Common.MixtureGasNasa.gasConstant' "Gas constant of the mixture"
    input 'Modelica.Media.IdealGases.Common.MixtureGasNasa.ThermodynamicState' 'state';
    output Real 'R_s';
  algorithm
    'R_s' := sum('Modelica.Media.IdealGases.Common.MixtureGasNasa.data'['i'].'R_s' * 'state'.'X'['i'] for 'i' in 1:size('state'.'X', 1));
    annotation(smoothOrder = 2);
  end 'Modelica.Media.IdealGases.Common.MixtureGasNasa.gasConstant';

  function 'Modelica.Media.IdealGases.Common.MixtureGasNasa.density' "Density of a mixture of ideal gases"
    input 'Modelica.Media.IdealGases.Common.MixtureGasNasa.ThermodynamicState' 'state';
    output Real 'd';
  algorithm
    'd' := 'state'.'p' / ('Modelica.Media.IdealGases.Common.MixtureGasNasa.gasConstant'('state') * 'state'.'T');
    annotation(smoothOrder = 2);
  end 'Modelica.Media.IdealGases.Common.MixtureGasNasa.density';

  function 'Modelica.Media.IdealGases.Common.MixtureGasNasa.specificHeatCapacityCp' "Heat capacity of the mixture at constant pressure"
    input 'Modelica.Media.IdealGases.Common.MixtureGasNasa.ThermodynamicState' 'state';
    output Real 'cp';
  algorithm
    'cp' := sum('Modelica.Media.IdealGases.Common.Functions.cp_T'('Modelica.Media.IdealGases.Common.MixtureGasNasa.data'['i'], 'state'.'T') * 'state'.'X'['i'] for 'i' in 1:size('state'.'X', 1));
    annotation(smoothOrder = 2);
  end 'Modelica.Media.IdealGases.Common.MixtureGasNasa.specificHeatCapacityCp';

  function 'Modelica.Media.IdealGases.Common.MixtureGasNasa.specificHeatCapacityCv' "Heat capacity of the mixture at constant volume"
    input 'Modelica.Media.IdealGases.Common.MixtureGasNasa.ThermodynamicState' 'state';
    output Real 'cv';
  algorithm
    'cv' := 'Modelica.Media.IdealGases.Common.MixtureGasNasa.specificHeatCapacityCp'('state') - 'Modelica.Media.IdealGases.Common.MixtureGasNasa.gasConstant'('state');
    annotation(smoothOrder = 2);
  end 'Modelica.Media.IdealGases.Common.MixtureGasNasa.specificHeatCapacityCv';

  function 'Modelica.Media.IdealGases.Common.MixtureGasNasa.isentropicExponent' "Ratio of the heat capacities"
    input 'Modelica.Media.IdealGases.Common.MixtureGasNasa.ThermodynamicState' 'state';
    output Real 'gamma';
  algorithm
    'gamma' := 'Modelica.Media.IdealGases.Common.MixtureGasNasa.specificHeatCapacityCp'('state') / 'Modelica.Media.IdealGases.Common.MixtureGasNasa.specificHeatCapacityCv'('state');
    annotation(smoothOrder = 2);
  end 'Modelica.Media.IdealGases.Common.MixtureGasNasa.isentropicExponent';

  function 'Modelica.Media.IdealGases.Common.MixtureGasNasa.molarMass' "Molar mass of the mixture"
    input 'Modelica.Media.IdealGases.Common.MixtureGasNasa.ThermodynamicState' 'state';
    output Real 'MM';
  algorithm
    'MM' := 1.0 / sum('state'.'X'['i'] / 'Modelica.Media.IdealGases.Common.MixtureGasNasa.data'['i'].'MM' for 'i' in 1:size('state'.'X', 1));
    annotation(smoothOrder = 2);
  end 'Modelica.Media.IdealGases.Common.MixtureGasNasa.molarMass';

  function 'Modelica.Media.IdealGases.Common.MixtureGasNasa.s_TX' "Entropy of the gases at the reference pressure"
    input Real 'T';
    input Real 'X'[:];
    output Real 's';
  algorithm
    's' := sum('Modelica.Media.IdealGases.Common.Functions.s0_T'('Modelica.Media.IdealGases.Common.MixtureGasNasa.data'['i'], 'T') * 'X'['i'] for 'i' in 1:size('X', 1));
    annotation(smoothOrder = 2);
  end 'Modelica.Media.IdealGases.Common.MixtureGasNasa.s_TX';

  function 'Modelica.Media.IdealGases.Common.MixtureGasNasa.specificEntropyOfpTX' "Entropy of the mixture; the reference is one atmosphere"
    input Real 'p';
    input Real 'T';
    input Real 'X'[:];
    output Real 's';
    Real 'n';
  algorithm
    'n' := sum('X'['i'] / 'Modelica.Media.IdealGases.Common.MixtureGasNasa.data'['i'].'MM' for 'i' in 1:size('X', 1));
    's' := sum('X'['i'] * ('Modelica.Media.IdealGases.Common.Functions.s0_T'('Modelica.Media.IdealGases.Common.MixtureGasNasa.data'['i'], 'T') - 8.31446261815324 / 'Modelica.Media.IdealGases.Common.MixtureGasNasa.data'['i'].'MM' * (if 'X'['i'] < 2.220446049250313e-16 then 'X'['i'] / ('Modelica.Media.IdealGases.Common.MixtureGasNasa.data'['i'].'MM' * 'n') else log('X'['i'] / ('Modelica.Media.IdealGases.Common.MixtureGasNasa.data'['i'].'MM' * 'n') * 'p' / 101325.0))) for 'i' in 1:size('X', 1));
    annotation(smoothOrder = 2);
  end 'Modelica.Media.IdealGases.Common.MixtureGasNasa.specificEntropyOfpTX';

  function 'Modelica.Media.Interfaces.PartialMedium.pressure' "Pressure of a state"
    input 'Modelica.Media.Interfaces.PartialMedium.ThermodynamicState' 'state';
    output Real 'p';
  algorithm
    'p' := 'state'.'p';
    annotation(smoothOrder = 5);
  end 'Modelica.Media.Interfaces.PartialMedium.pressure';

  function 'Modelica.Media.Interfaces.PartialMedium.temperature' "Temperature of a state"
    input 'Modelica.Media.Interfaces.PartialMedium.ThermodynamicState' 'state';
    output Real 'T';
  algorithm
    'T' := 'state'.'T';
    annotation(smoothOrder = 5);
  end 'Modelica.Media.Interfaces.PartialMedium.temperature';

  function 'Modelica.Media.Interfaces.PartialMedium.density' "Density of a state that holds it"
    input 'Modelica.Media.Interfaces.PartialMedium.ThermodynamicState' 'state';
    output Real 'd';
  algorithm
    'd' := 'state'.'d';
    annotation(smoothOrder = 5);
  end 'Modelica.Media.Interfaces.PartialMedium.density';

  function 'Modelica.Media.Interfaces.PartialMedium.specificEnthalpy' "Enthalpy of a state that holds it"
    input 'Modelica.Media.Interfaces.PartialMedium.ThermodynamicState' 'state';
    output Real 'h';
  algorithm
    'h' := 'state'.'h';
    annotation(smoothOrder = 5);
  end 'Modelica.Media.Interfaces.PartialMedium.specificEnthalpy';

  function 'Modelica.Media.Interfaces.PartialMixtureMedium.massToMoleFractions'
    input Real 'X'[:];
    input Real 'MMX'[:];
    output Real 'moleFractions'[size('X', 1)];
    Real 'w';
  algorithm
    'w' := 0.0;
    for 'i' in 1:size('X', 1) loop
      'w' := 'w' + 'X'['i'] / 'MMX'['i'];
    end for;
    for 'i' in 1:size('X', 1) loop
      'moleFractions'['i'] := 'X'['i'] / ('MMX'['i'] * 'w');
    end for;
    annotation(smoothOrder = 5);
  end 'Modelica.Media.Interfaces.PartialMixtureMedium.massToMoleFractions';

  function 'Modelica.Media.Interfaces.PartialMixtureMedium.moleToMassFractions'
    input Real 'moleFractions'[:];
    input Real 'MMX'[:];
    output Real 'X'[size('moleFractions', 1)];
    Real 'w';
  algorithm
    'w' := 0.0;
    for 'i' in 1:size('moleFractions', 1) loop
      'w' := 'w' + 'moleFractions'['i'] * 'MMX'['i'];
    end for;
    for 'i' in 1:size('moleFractions', 1) loop
      'X'['i'] := 'moleFractions'['i'] * 'MMX'['i'] / 'w';
    end for;
    annotation(smoothOrder = 5);
  end 'Modelica.Media.Interfaces.PartialMixtureMedium.moleToMassFractions';

  function 'Modelica.Media.Incompressible.Examples.Glycol47.heatCapacity' "Quadratic fit of the table of glycol and water, in degrees Celsius"
    output Real 'cp'[3];
  algorithm
    'cp' := {-7.666493085691142e-4, 3.4063125614765957, 3555.602731007348};
  end 'Modelica.Media.Incompressible.Examples.Glycol47.heatCapacity';

  function 'Modelica.Media.Incompressible.Examples.Glycol47.h_T' "Enthalpy, zero at 0 degrees Celsius"
    input Real 'T';
    output Real 'h';
    Real 'c'[3] = 'Modelica.Media.Incompressible.Examples.Glycol47.heatCapacity'();
    Real 't' = 'T' - 273.15;
  algorithm
    'h' := 't' * ('c'[3] + 't' * ('c'[2] / 2.0 + 't' * 'c'[1] / 3.0));
    annotation(smoothOrder = 2);
  end 'Modelica.Media.Incompressible.Examples.Glycol47.h_T';

  function 'Modelica.Media.Incompressible.Examples.Glycol47.h_T_der'
    input Real 'T';
    input Real 'dT';
    output Real 'dh';
    Real 'c'[3] = 'Modelica.Media.Incompressible.Examples.Glycol47.heatCapacity'();
    Real 't' = 'T' - 273.15;
  algorithm
    'dh' := 'dT' * ('c'[3] + 't' * ('c'[2] + 't' * 'c'[1]));
  end 'Modelica.Media.Incompressible.Examples.Glycol47.h_T_der';

  function 'Modelica.Media.Incompressible.Examples.Glycol47.s_T' "Entropy by the library's formula, which leaves out the mixed term of cp(t)/T"
    input Real 'T';
    output Real 's';
    Real 'c'[3] = 'Modelica.Media.Incompressible.Examples.Glycol47.heatCapacity'();
    Real 't' = 'T' - 273.15;
  algorithm
    's' := 't' * ('c'[2] + 't' * 'c'[1] / 2.0) + log('T' / 273.15) * ('c'[3] - 273.15 * ('c'[2] - 273.15 * 'c'[1]));
    annotation(smoothOrder = 2);
  end 'Modelica.Media.Incompressible.Examples.Glycol47.s_T';

  function 'Modelica.Media.Incompressible.Examples.Glycol47.T_ph.f_nonlinear'
    input Real 'u';
    input Real 'p';
    input Real 'h';
    output Real 'y';
  algorithm
    'y' := 'Modelica.Media.Incompressible.Examples.Glycol47.h_T'('u') - 'h';
  end 'Modelica.Media.Incompressible.Examples.Glycol47.T_ph.f_nonlinear';

  function 'Modelica.Media.Incompressible.Examples.Glycol47.T_ps.f_nonlinear'
    input Real 'u';
    input Real 'p';
    input Real 's';
    output Real 'y';
  algorithm
    'y' := 'Modelica.Media.Incompressible.Examples.Glycol47.s_T'('u') - 's';
  end 'Modelica.Media.Incompressible.Examples.Glycol47.T_ps.f_nonlinear';

  function 'Modelica.Media.Incompressible.Examples.Essotherm650.heatCapacity' "Quadratic fit of the table of thermal oil, in degrees Celsius"
    output Real 'cp'[3];
  algorithm
    'cp' := {3.421013308549884e-5, 3.5709904732248283, 1774.5894146844585};
  end 'Modelica.Media.Incompressible.Examples.Essotherm650.heatCapacity';

  function 'Modelica.Media.Incompressible.Examples.Essotherm650.h_T' "Enthalpy, zero at 0 degrees Celsius"
    input Real 'T';
    output Real 'h';
    Real 'c'[3] = 'Modelica.Media.Incompressible.Examples.Essotherm650.heatCapacity'();
    Real 't' = 'T' - 273.15;
  algorithm
    'h' := 't' * ('c'[3] + 't' * ('c'[2] / 2.0 + 't' * 'c'[1] / 3.0));
    annotation(smoothOrder = 2);
  end 'Modelica.Media.Incompressible.Examples.Essotherm650.h_T';

  function 'Modelica.Media.Incompressible.Examples.Essotherm650.h_T_der'
    input Real 'T';
    input Real 'dT';
    output Real 'dh';
    Real 'c'[3] = 'Modelica.Media.Incompressible.Examples.Essotherm650.heatCapacity'();
    Real 't' = 'T' - 273.15;
  algorithm
    'dh' := 'dT' * ('c'[3] + 't' * ('c'[2] + 't' * 'c'[1]));
  end 'Modelica.Media.Incompressible.Examples.Essotherm650.h_T_der';

  function 'Modelica.Media.Incompressible.Examples.Essotherm650.s_T' "Entropy by the library's formula, which leaves out the mixed term of cp(t)/T"
    input Real 'T';
    output Real 's';
    Real 'c'[3] = 'Modelica.Media.Incompressible.Examples.Essotherm650.heatCapacity'();
    Real 't' = 'T' - 273.15;
  algorithm
    's' := 't' * ('c'[2] + 't' * 'c'[1] / 2.0) + log('T' / 273.15) * ('c'[3] - 273.15 * ('c'[2] - 273.15 * 'c'[1]));
    annotation(smoothOrder = 2);
  end 'Modelica.Media.Incompressible.Examples.Essotherm650.s_T';

  function 'Modelica.Media.Incompressible.Examples.Essotherm650.T_ph.f_nonlinear'
    input Real 'u';
    input Real 'p';
    input Real 'h';
    output Real 'y';
  algorithm
    'y' := 'Modelica.Media.Incompressible.Examples.Essotherm650.h_T'('u') - 'h';
  end 'Modelica.Media.Incompressible.Examples.Essotherm650.T_ph.f_nonlinear';

  function 'Modelica.Media.Incompressible.Examples.Essotherm650.T_ps.f_nonlinear'
    input Real 'u';
    input Real 'p';
    input Real 's';
    output Real 'y';
  algorithm
    'y' := 'Modelica.Media.Incompressible.Examples.Essotherm650.s_T'('u') - 's';
  end 'Modelica.Media.Incompressible.Examples.Essotherm650.T_ps.f_nonlinear';
end 'Library';
