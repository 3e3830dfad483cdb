//! base 0.1.0
// Device equations of SPICE 3 (junctions, level 1 MOSFET, JFET) under the names of Modelica.Electrical.Spice3.Internal.
// k/q is 8.617251692337959e-5 V/K, the smallest conductance 1e-12 S.
package 'Library'
  function 'Modelica.Electrical.Spice3.Internal.SpiceRoot.limitJunctionVoltageRevised' "Voltages are not limited"
    input Real 'voltage';
    output Real 'ret';
  algorithm
    'ret' := 'voltage';
    annotation(Inline = true);
  end 'Modelica.Electrical.Spice3.Internal.SpiceRoot.limitJunctionVoltageRevised';

  function 'Modelica.Electrical.Spice3.Internal.SpiceRoot.initJunctionVoltagesRevised' "Junctions do not start at given voltages"
    output Boolean 'ret';
  algorithm
    'ret' := false;
  end 'Modelica.Electrical.Spice3.Internal.SpiceRoot.initJunctionVoltagesRevised';

  function 'Modelica.Electrical.Spice3.Internal.SpiceRoot.useInitialConditions' "Initial conditions of the device are not used"
    output Boolean 'ret';
  algorithm
    'ret' := false;
  end 'Modelica.Electrical.Spice3.Internal.SpiceRoot.useInitialConditions';

  function 'Modelica.Electrical.Spice3.Internal.SpiceRoot.limitJunctionVoltage' "Voltages are not limited"
    input Real 'voltage';
    output Real 'ret';
  algorithm
    'ret' := 'voltage';
    annotation(Inline = true);
  end 'Modelica.Electrical.Spice3.Internal.SpiceRoot.limitJunctionVoltage';

  function 'Modelica.Electrical.Spice3.Internal.SpiceRoot.initJunctionVoltages' "Junctions do not start at given voltages"
    output Boolean 'ret';
  algorithm
    'ret' := false;
  end 'Modelica.Electrical.Spice3.Internal.SpiceRoot.initJunctionVoltages';

  function 'Modelica.Electrical.Spice3.Internal.Functions.energyGapDepTemp' "Energy gap of silicon"
    input Real 'temp';
    output Real 'ret';
  algorithm
    'ret' := 1.16 - 7.02e-4 * 'temp' ^ 2 / ('temp' + 1108.0);
  end 'Modelica.Electrical.Spice3.Internal.Functions.energyGapDepTemp';

  function 'Modelica.Electrical.Spice3.Internal.Functions.junctionVCrit' "Voltage where the curvature of the diode line is largest"
    input Real 'temp';
    input Real 'ncoeff';
    input Real 'satcur';
    output Real 'ret';
    Real 'vte' = 8.617251692337959e-5 * 'temp' * 'ncoeff';
  algorithm
    'ret' := if 'vte' * log('vte' / (sqrt(2.0) * 'satcur')) > 1e10 then 1e10 else 'vte' * log('vte' / (sqrt(2.0) * 'satcur'));
  end 'Modelica.Electrical.Spice3.Internal.Functions.junctionVCrit';

  function 'Modelica.Electrical.Spice3.Internal.Functions.saturationCurDepTempSPICE3' "Saturation current at a temperature"
    input Real 'satcur0';
    input Real 'temp';
    input Real 'tnom';
    input Real 'emissioncoeff';
    input Real 'energygap';
    input Real 'satcurexp';
    output Real 'ret';
  algorithm
    'ret' := 'satcur0' * exp(('temp' / 'tnom' - 1.0) * 'energygap' / ('emissioncoeff' * 8.617251692337959e-5 * 'temp') + 'satcurexp' / 'emissioncoeff' * log('temp' / 'tnom'));
  end 'Modelica.Electrical.Spice3.Internal.Functions.saturationCurDepTempSPICE3';

  function 'Modelica.Electrical.Spice3.Internal.Functions.saturationCurDepTempSPICE3JFET' "Saturation current of a gate at a temperature"
    input Real 'satcur0';
    input Real 'temp';
    input Real 'tnom';
    output Real 'ret';
  algorithm
    'ret' := 'satcur0' * exp(1.11 * ('temp' / 'tnom' - 1.0) / (8.617251692337959e-5 * 'temp'));
  end 'Modelica.Electrical.Spice3.Internal.Functions.saturationCurDepTempSPICE3JFET';

  function 'Modelica.Electrical.Spice3.Internal.Functions.resDepTemp' "Conductance at a temperature and its slope"
    input Real 'resist';
    input Real 'temp';
    input Real 'tnom';
    input Real 'tc1';
    input Real 'tc2';
    output Real 'conduct';
    output Real 'dCond_dTemp';
    Real 'd' = 'temp' - 'tnom';
  algorithm
    'conduct' := 1.0 / ('resist' * (1.0 + 'd' * ('tc1' + 'tc2' * 'd')));
    'dCond_dTemp' := ('tc1' + 2.0 * 'tc2' * 'd') * 'conduct' ^ 2;
  end 'Modelica.Electrical.Spice3.Internal.Functions.resDepTemp';

  function 'Modelica.Electrical.Spice3.Internal.Functions.resDepGeom' "Resistance of a sheet"
    input Real 'rsh';
    input Real 'width';
    input Real 'length';
    input Real 'narrow';
    output Real 'out';
  algorithm
    'out' := 'rsh' * ('length' - 'narrow') / ('width' - 'narrow');
  end 'Modelica.Electrical.Spice3.Internal.Functions.resDepGeom';

  function 'Modelica.Electrical.Spice3.Internal.Functions.capDepGeom' "Capacitance of a plate: its area and its rim"
    input Real 'cap0';
    input Real 'capsw0';
    input Real 'width';
    input Real 'length';
    input Real 'narrow';
    output Real 'out';
    Real 'w' = 'width' - 'narrow';
    Real 'l' = 'length' - 'narrow';
  algorithm
    'out' := 'cap0' * 'w' * 'l' + 2.0 * 'capsw0' * ('w' + 'l');
  end 'Modelica.Electrical.Spice3.Internal.Functions.capDepGeom';

  function 'Modelica.Electrical.Spice3.Internal.Functions.junctionCapCoeffs' "Coefficients of the capacitance of a junction beyond the depletion limit"
    input Real 'mj';
    input Real 'fc';
    input Real 'phij';
    output Real 'f1';
    output Real 'f2';
    output Real 'f3';
    Real 'xfc' = log(1.0 - 'fc');
  algorithm
    'f1' := 'phij' * (1.0 - exp((1.0 - 'mj') * 'xfc')) / (1.0 - 'mj');
    'f2' := exp((1.0 + 'mj') * 'xfc');
    'f3' := 1.0 - 'fc' * (1.0 + 'mj');
  end 'Modelica.Electrical.Spice3.Internal.Functions.junctionCapCoeffs';

  function 'Modelica.Electrical.Spice3.Internal.Functions.junction2SPICE3MOSFETRevised' "Current and conductance of a bulk junction"
    input Real 'voltage';
    input Real 'temp';
    input Real 'ncoeff';
    input Real 'satcur';
    output Real 'out_current';
    output Real 'out_cond';
    Real 'vte' = 8.617251692337959e-5 * 'temp' * 'ncoeff';
    Real 'limit';
    Real 'e';
  algorithm
    'out_current' := 0.0;
    'out_cond' := 0.0;
    if 'satcur' > 1e-101 then
      // Beyond this exponent the exponential is continued by its tangent.
      'limit' := min(50.0, log(1e4 / 'satcur'));
      if 'voltage' <= 0.0 then
        'out_cond' := 'satcur' / 'vte' + 1e-12;
        'out_current' := 'satcur' / 'vte' * 'voltage';
      elseif 'voltage' >= 'limit' * 'vte' then
        'e' := exp('limit');
        'out_cond' := 'satcur' * 'e' / 'vte';
        'out_current' := 'satcur' * ('e' - 1.0) + 'out_cond' * ('voltage' - 'limit' * 'vte');
      else
        'e' := exp('voltage' / 'vte');
        'out_cond' := 'satcur' * 'e' / 'vte' + 1e-12;
        'out_current' := 'satcur' * ('e' - 1.0);
      end if;
    end if;
  end 'Modelica.Electrical.Spice3.Internal.Functions.junction2SPICE3MOSFETRevised';

  function 'Modelica.Electrical.Spice3.Internal.Functions.junction2' "Current and conductance of a junction"
    input Real 'voltage';
    input Real 'temp';
    input Real 'ncoeff';
    input Real 'satcur';
    output Real 'current';
    output Real 'cond';
    Real 'vte' = 8.617251692337959e-5 * 'temp' * 'ncoeff';
    Real 'limit';
    Real 'e';
    Real 'cube';
  algorithm
    'current' := 0.0;
    'cond' := 0.0;
    if 'satcur' > 1e-101 then
      'limit' := min(50.0, log(1e4 / 'satcur'));
      if 'voltage' >= 'limit' * 'vte' then
        'e' := exp('limit');
        'cond' := 'satcur' * 'e' / 'vte';
        'current' := 'satcur' * ('e' - 1.0) + 'cond' * ('voltage' - 'limit' * 'vte');
      elseif 'voltage' >= -5.0 * 'vte' then
        'e' := exp('voltage' / 'vte');
        'current' := 'satcur' * ('e' - 1.0) + 1e-12 * 'voltage';
        'cond' := 'satcur' * 'e' / 'vte' + 1e-12;
      else
        // Blocked: the exponential is replaced by a cubic decay.
        'cube' := (3.0 * 'vte' / ('voltage' * 2.718281828459045)) ^ 3;
        'current' := -'satcur' * (1.0 + 'cube') + 1e-12 * 'voltage';
        'cond' := 3.0 * 'satcur' * 'cube' / 'voltage' + 1e-12;
      end if;
    end if;
  end 'Modelica.Electrical.Spice3.Internal.Functions.junction2';

  function 'Modelica.Electrical.Spice3.Internal.Functions.junction3' "Current and conductance of a junction that breaks down at -v23"
    input Real 'voltage';
    input Real 'temp';
    input Real 'ncoeff';
    input Real 'satcur';
    input Real 'v23';
    output Real 'current';
    output Real 'cond';
    Real 'vte' = 8.617251692337959e-5 * 'temp' * 'ncoeff';
    Real 'limit';
    Real 'e';
    Real 'cube';
    Real 'beyond';
  algorithm
    'current' := 0.0;
    'cond' := 0.0;
    if 'satcur' > 1e-101 then
      'limit' := min(50.0, log(1e4 / 'satcur'));
      if 'voltage' >= 'limit' * 'vte' then
        'e' := exp('limit');
        'cond' := 'satcur' * 'e' / 'vte';
        'current' := 'satcur' * ('e' - 1.0) + 'cond' * ('voltage' - 'limit' * 'vte');
      elseif 'voltage' >= -3.0 * 'vte' then
        'e' := exp('voltage' / 'vte');
        'current' := 'satcur' * ('e' - 1.0) + 1e-12 * 'voltage';
        'cond' := 'satcur' * 'e' / 'vte' + 1e-12;
      elseif 'voltage' >= -'v23' then
        'cube' := (3.0 * 'vte' / ('voltage' * 2.718281828459045)) ^ 3;
        'current' := -'satcur' * (1.0 + 'cube') + 1e-12 * 'voltage';
        'cond' := 3.0 * 'satcur' * 'cube' / 'voltage' + 1e-12;
      else
        'beyond' := -('v23' + 'voltage');
        if 'beyond' > 'limit' * 'vte' then
          'e' := exp('limit');
          'cond' := 'satcur' * 'e' / 'vte';
          'current' := -('satcur' * ('e' - 1.0) + 'cond' * ('beyond' - 'limit' * 'vte'));
        else
          'e' := exp('beyond' / 'vte');
          'current' := -'satcur' * 'e' + 1e-12 * 'voltage';
          'cond' := 'satcur' * 'e' / 'vte' + 1e-12;
        end if;
      end if;
    end if;
  end 'Modelica.Electrical.Spice3.Internal.Functions.junction3';

  function 'Modelica.Electrical.Spice3.Internal.Functions.junction2SPICE3BJT' "Ideal and leakage current of a base junction"
    input Real 'voltage';
    input Real 'temp';
    input Real 'ncoeff1';
    input Real 'ncoeff2';
    input Real 'satcur1';
    input Real 'satcur2';
    output Real 'current1';
    output Real 'cond1';
    output Real 'current2';
    output Real 'cond2';
    Real 'vt1' = 8.617251692337959e-5 * 'temp' * 'ncoeff1';
    Real 'vt2' = 8.617251692337959e-5 * 'temp' * 'ncoeff2';
  algorithm
    if 'voltage' > -5.0 * 'vt1' then
      'current1' := 'satcur1' * (exp('voltage' / 'vt1') - 1.0) + 1e-12 * 'voltage';
      'cond1' := 'satcur1' * exp('voltage' / 'vt1') / 'vt1' + 1e-12;
      'current2' := if 'satcur2' == 0.0 then 0.0 else 'satcur2' * (exp('voltage' / 'vt2') - 1.0);
      'cond2' := if 'satcur2' == 0.0 then 0.0 else 'satcur2' * exp('voltage' / 'vt2') / 'vt2';
    else
      'cond1' := 1e-12 - 'satcur1' / 'voltage';
      'current1' := 'cond1' * 'voltage';
      'cond2' := -'satcur2' / 'voltage';
      'current2' := -'satcur2';
    end if;
  end 'Modelica.Electrical.Spice3.Internal.Functions.junction2SPICE3BJT';

  function 'Modelica.Electrical.Spice3.Internal.Functions.junctionCapRevised' "Capacitance and charge of a junction"
    input Real 'capin';
    input Real 'voltage';
    input Real 'depcap';
    input Real 'mj';
    input Real 'phij';
    input Real 'f1';
    input Real 'f2';
    input Real 'f3';
    output Real 'capout';
    output Real 'charge';
    Real 'a';
    Real 's';
  algorithm
    if 'voltage' < 'depcap' then
      'a' := 1.0 - 'voltage' / 'phij';
      's' := if 'mj' == 0.5 then 1.0 / sqrt('a') else exp(-'mj' * log('a'));
      'capout' := 'capin' * 's';
      'charge' := 'phij' * 'capin' * (1.0 - 'a' * 's') / (1.0 - 'mj');
    else
      'capout' := 'capin' / 'f2' * ('f3' + 'mj' * 'voltage' / 'phij');
      'charge' := 'capin' * 'f1' + 'capin' / 'f2' * ('f3' * ('voltage' - 'depcap') + 'mj' / (2.0 * 'phij') * ('voltage' ^ 2 - 'depcap' ^ 2));
    end if;
  end 'Modelica.Electrical.Spice3.Internal.Functions.junctionCapRevised';

  function 'Modelica.Electrical.Spice3.Internal.Functions.junctionCap' "Capacitance and charge of a junction"
    input Real 'capin';
    input Real 'voltage';
    input Real 'depcap';
    input Real 'mj';
    input Real 'phij';
    input Real 'f1';
    input Real 'f2';
    input Real 'f3';
    output Real 'capout';
    output Real 'charge';
  algorithm
    ('capout', 'charge') := 'Modelica.Electrical.Spice3.Internal.Functions.junctionCapRevised'('capin', 'voltage', 'depcap', 'mj', 'phij', 'f1', 'f2', 'f3');
  end 'Modelica.Electrical.Spice3.Internal.Functions.junctionCap';

  function 'Modelica.Electrical.Spice3.Internal.Functions.junctionCapTransTime' "Capacitance and charge of a junction with transit time"
    input Real 'capin';
    input Real 'voltage';
    input Real 'depcap';
    input Real 'mj';
    input Real 'phij';
    input Real 'f1';
    input Real 'f2';
    input Real 'f3';
    input Real 'transittime';
    input Real 'conduct';
    input Real 'current';
    output Real 'capout';
    output Real 'charge';
  algorithm
    ('capout', 'charge') := 'Modelica.Electrical.Spice3.Internal.Functions.junctionCapRevised'('capin', 'voltage', 'depcap', 'mj', 'phij', 'f1', 'f2', 'f3');
    'capout' := 'capout' + 'transittime' * 'conduct';
    'charge' := 'charge' + 'transittime' * 'current';
  end 'Modelica.Electrical.Spice3.Internal.Functions.junctionCapTransTime';

  record 'MOSFET channel' "What the gate capacitances need of a MOSFET of any level"
    Real 'm_von';
    Real 'm_vdsat';
    Real 'm_tPhi';
    Real 'm_capOx';
  end 'MOSFET channel';

  record 'Modelica.Electrical.Spice3.Internal.Mos.DEVqmeyer'
    Real 'qm_capgb';
    Real 'qm_capgs';
    Real 'qm_capgd';
    Real 'qm_qgs';
    Real 'qm_qgb';
    Real 'qm_qgd';
    Real 'qm_vgs';
    Real 'qm_vgb';
    Real 'qm_vgd';
  end 'Modelica.Electrical.Spice3.Internal.Mos.DEVqmeyer';

  function 'Modelica.Electrical.Spice3.Internal.Mos.mosCalcDEVqmeyer' "Half of the capacitances of the gate by Meyer's model"
    input Real 'vgs';
    input Real 'vgd';
    input Real 'vgb';
    input 'MOSFET channel' 'in_c';
    output 'Modelica.Electrical.Spice3.Internal.Mos.DEVqmeyer' 'out_qm';
    Real 'over' = 'vgs' - 'in_c'.'m_von';
    Real 'vds' = 'vgs' - 'vgd';
    Real 'd';
  algorithm
    'out_qm'.'qm_capgb' := 0.0;
    'out_qm'.'qm_capgs' := 0.0;
    'out_qm'.'qm_capgd' := 0.0;
    'out_qm'.'qm_qgs' := 0.0;
    'out_qm'.'qm_qgb' := 0.0;
    'out_qm'.'qm_qgd' := 0.0;
    'out_qm'.'qm_vgs' := 'vgs';
    'out_qm'.'qm_vgb' := 'vgb';
    'out_qm'.'qm_vgd' := 'vgd';
    if 'over' <= -'in_c'.'m_tPhi' then
      'out_qm'.'qm_capgb' := 'in_c'.'m_capOx' / 2.0;
    elseif 'over' <= 0.0 then
      'out_qm'.'qm_capgb' := -'over' * 'in_c'.'m_capOx' / (2.0 * 'in_c'.'m_tPhi');
      if 'over' > -'in_c'.'m_tPhi' / 2.0 then
        'out_qm'.'qm_capgs' := 'over' * 'in_c'.'m_capOx' / (1.5 * 'in_c'.'m_tPhi') + 'in_c'.'m_capOx' / 3.0;
      end if;
    elseif 'in_c'.'m_vdsat' <= 'vds' then
      'out_qm'.'qm_capgs' := 'in_c'.'m_capOx' / 3.0;
    else
      'd' := (2.0 * 'in_c'.'m_vdsat' - 'vds') ^ 2;
      'out_qm'.'qm_capgd' := 'in_c'.'m_capOx' * (1.0 - 'in_c'.'m_vdsat' ^ 2 / 'd') / 3.0;
      'out_qm'.'qm_capgs' := 'in_c'.'m_capOx' * (1.0 - ('in_c'.'m_vdsat' - 'vds') ^ 2 / 'd') / 3.0;
    end if;
  end 'Modelica.Electrical.Spice3.Internal.Mos.mosCalcDEVqmeyer';

  function 'Modelica.Electrical.Spice3.Internal.Mos1.drainCur' "Drain current of the Shichman-Hodges MOSFET and its slopes"
    input Real 'vb';
    input Real 'vg';
    input Real 'vds';
    input 'Modelica.Electrical.Spice3.Internal.Mos1.Mos1Calc' 'in_c';
    input 'Modelica.Electrical.Spice3.Internal.Mos1.Mos1ModelLineParams' 'in_p';
    input 'Modelica.Electrical.Spice3.Internal.SpiceConstants' 'in_C';
    input 'Modelica.Electrical.Spice3.Internal.Mos.MosModelLineVariables' 'in_vp';
    input Integer 'in_m_type';
    output 'Modelica.Electrical.Spice3.Internal.Mos1.Mos1Calc' 'out_c';
    Real 'root';
    Real 'body';
    Real 'over';
    Real 'beta';
    Real 'square';
  algorithm
    'out_c' := 'in_c';
    'root' := if 'vb' <= 0.0 then sqrt('in_c'.'m_tPhi' - 'vb') else max(0.0, sqrt('in_c'.'m_tPhi') - 'vb' / (2.0 * sqrt('in_c'.'m_tPhi')));
    'out_c'.'m_von' := 'in_m_type' * 'in_c'.'m_tVbi' + 'in_vp'.'m_gamma' * 'root';
    'over' := 'vg' - 'out_c'.'m_von';
    'out_c'.'m_vdsat' := max('over', 0.0);
    'out_c'.'m_cdrain' := 0.0;
    'out_c'.'m_gm' := 0.0;
    'out_c'.'m_gds' := 0.0;
    'out_c'.'m_gmbs' := 0.0;
    if 'over' > 0.0 then
      'body' := if 'root' <= 0.0 then 0.0 else 'in_vp'.'m_gamma' / (2.0 * 'root');
      'beta' := 'in_c'.'m_Beta' * (1.0 + 'in_p'.'m_lambda' * 'vds');
      if 'over' <= 'vds' then
        'square' := 0.5 * 'over' ^ 2;
        'out_c'.'m_gm' := 'beta' * 'over';
        'out_c'.'m_gds' := 'in_p'.'m_lambda' * 'in_c'.'m_Beta' * 'square';
      else
        'square' := 'vds' * ('over' - 0.5 * 'vds');
        'out_c'.'m_gm' := 'beta' * 'vds';
        'out_c'.'m_gds' := 'beta' * ('over' - 'vds') + 'in_p'.'m_lambda' * 'in_c'.'m_Beta' * 'square';
      end if;
      'out_c'.'m_cdrain' := 'beta' * 'square';
      'out_c'.'m_gmbs' := 'out_c'.'m_gm' * 'body';
    end if;
  end 'Modelica.Electrical.Spice3.Internal.Mos1.drainCur';

  function 'Modelica.Electrical.Spice3.Internal.Jfet.drainCur' "Drain current of the JFET and its slopes; negative voltages exchange drain and source"
    input Real 'vds';
    input Real 'vgs';
    input Real 'vgd';
    input 'Modelica.Electrical.Spice3.Internal.Fet.Fet' 'in_f';
    input 'Modelica.Electrical.Spice3.Internal.Jfet.JfetModelLine' 'in_fm';
    output 'Modelica.Electrical.Spice3.Internal.Fet.Fet' 'out_f';
    Real 'side' = if 'vds' >= 0.0 then 1.0 else -1.0;
    Real 'over' = (if 'vds' >= 0.0 then 'vgs' else 'vgd') - 'in_fm'.'m_threshold';
    Real 'v' = abs('vds');
    Real 'beta0' = 'in_fm'.'m_beta' * 'in_f'.'m_area';
    Real 'beta';
    Real 'a';
    Real 'c';
  algorithm
    'out_f' := 'in_f';
    'out_f'.'m_cdrain' := 0.0;
    'out_f'.'m_gm' := 0.0;
    'out_f'.'m_gds' := 0.0;
    if 'over' > 0.0 then
      'beta' := 'beta0' * (1.0 + 'in_fm'.'m_lModulation' * 'v');
      if 'over' >= 'v' then
        'a' := 2.0 * 'in_fm'.'m_b' + 3.0 * 'in_fm'.'m_bFac' * ('over' - 'v');
        'c' := 'v' * ('v' * ('in_fm'.'m_bFac' * 'v' - 'in_fm'.'m_b') + 'over' * 'a');
        'out_f'.'m_gm' := 'side' * 'beta' * 'v' * ('a' + 3.0 * 'in_fm'.'m_bFac' * 'over');
        'out_f'.'m_gds' := 'beta' * ('over' - 'v') * 'a' + 'beta0' * 'in_fm'.'m_lModulation' * 'c';
      else
        'c' := 'over' ^ 2 * ('in_fm'.'m_b' + 'in_fm'.'m_bFac' * 'over');
        'out_f'.'m_gm' := 'side' * 'beta' * 'over' * (2.0 * 'in_fm'.'m_b' + 3.0 * 'in_fm'.'m_bFac' * 'over');
        'out_f'.'m_gds' := 'beta0' * 'in_fm'.'m_lModulation' * 'c';
      end if;
      'out_f'.'m_cdrain' := 'side' * 'beta' * 'c';
      if 'side' < 0.0 then
        'out_f'.'m_gds' := 'out_f'.'m_gds' - 'out_f'.'m_gm';
      end if;
    end if;
  end 'Modelica.Electrical.Spice3.Internal.Jfet.drainCur';

  function 'Modelica.Electrical.Spice3.Internal.Jfet.gateCap' "Capacitance and charge between the gate and one side"
    input Real 'zero';
    input Real 'v';
    input 'Modelica.Electrical.Spice3.Internal.Fet.Fet' 'f';
    output Real 'cap';
    output Real 'charge';
    Real 'root';
    Real 'twop' = 2.0 * 'f'.'m_tGatePot';
  algorithm
    if 'v' < 'f'.'m_corDepCap' then
      'root' := sqrt(1.0 - 'v' / 'f'.'m_tGatePot');
      'cap' := 'zero' / 'root';
      'charge' := 'twop' * 'zero' * (1.0 - 'root');
    else
      'cap' := 'zero' / 'f'.'m_f2' * ('f'.'m_f3' + 'v' / 'twop');
      'charge' := 'zero' * 'f'.'m_f1' + 'zero' / 'f'.'m_f2' * ('f'.'m_f3' * ('v' - 'f'.'m_corDepCap') + ('v' ^ 2 - 'f'.'m_corDepCap' ^ 2) / (2.0 * 'twop'));
    end if;
  end 'Modelica.Electrical.Spice3.Internal.Jfet.gateCap';

  function 'Modelica.Electrical.Spice3.Internal.Jfet.calculateGateCap' "Capacitances and charges of the gate"
    input 'Modelica.Electrical.Spice3.Internal.Fet.Fet' 'in_f';
    input Real 'vgs';
    input Real 'vgd';
    output Real 'capgs';
    output Real 'chargegs';
    output Real 'capgd';
    output Real 'chargegd';
  algorithm
    ('capgs', 'chargegs') := 'Modelica.Electrical.Spice3.Internal.Jfet.gateCap'('in_f'.'m_tCGS' * 'in_f'.'m_area', 'vgs', 'in_f');
    ('capgd', 'chargegd') := 'Modelica.Electrical.Spice3.Internal.Jfet.gateCap'('in_f'.'m_tCGD' * 'in_f'.'m_area', 'vgd', 'in_f');
  end 'Modelica.Electrical.Spice3.Internal.Jfet.calculateGateCap';
end 'Library';
