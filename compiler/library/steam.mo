//! base 0.1.0
// States of water and steam by IAPWS-IF97 at two of pressure, temperature, enthalpy, entropy and density, by the interfaces of
// Modelica.Media.Water.IF97_Utilities: Newton's method on the equations of the regions instead of further backward equations.
package 'Library'
  record 'Modelica.Media.Common.IF97BaseTwoPhase'
    Integer 'phase';
    Integer 'region';
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
    Real 'x';
    Real 'dpT';
  end 'Modelica.Media.Common.IF97BaseTwoPhase';

  function 'Modelica.Media.Water.IF97_Utilities.ofGibbs' "Properties of one phase from its Gibbs function"
    input 'Modelica.Media.Common.GibbsDerivs' 'g';
    input Integer 'region';
    output 'Modelica.Media.Common.IF97BaseTwoPhase' 'aux';
    Real 'm' = 'g'.'gpi' - 'g'.'tau' * 'g'.'gtaupi';
  algorithm
    'aux'.'phase' := 1;
    'aux'.'region' := 'region';
    'aux'.'p' := 'g'.'p';
    'aux'.'T' := 'g'.'T';
    'aux'.'R_s' := 'g'.'R_s';
    'aux'.'h' := 'g'.'R_s' * 'g'.'T' * 'g'.'tau' * 'g'.'gtau';
    'aux'.'s' := 'g'.'R_s' * ('g'.'tau' * 'g'.'gtau' - 'g'.'g');
    'aux'.'rho' := 'g'.'p' / ('g'.'R_s' * 'g'.'T' * 'g'.'pi' * 'g'.'gpi');
    'aux'.'vt' := 'g'.'R_s' * 'g'.'pi' * 'm' / 'g'.'p';
    'aux'.'vp' := 'g'.'R_s' * 'g'.'T' * 'g'.'pi' ^ 2 * 'g'.'gpipi' / 'g'.'p' ^ 2;
    'aux'.'cp' := -'g'.'R_s' * 'g'.'tau' ^ 2 * 'g'.'gtautau';
    'aux'.'cv' := 'aux'.'cp' + 'g'.'R_s' * 'm' ^ 2 / 'g'.'gpipi';
    'aux'.'pt' := -'aux'.'vt' / 'aux'.'vp';
    'aux'.'pd' := -'g'.'R_s' * 'g'.'T' * 'g'.'gpi' ^ 2 / 'g'.'gpipi';
    'aux'.'x' := if 'region' == 1 then 0.0 else 1.0;
    'aux'.'dpT' := 'aux'.'pt';
  end 'Modelica.Media.Water.IF97_Utilities.ofGibbs';

  function 'Modelica.Media.Water.IF97_Utilities.ofHelmholtz' "Properties of one phase of region 3 from its Helmholtz function"
    input 'Modelica.Media.Common.HelmholtzDerivs' 'f';
    output 'Modelica.Media.Common.IF97BaseTwoPhase' 'aux';
  algorithm
    'aux'.'phase' := 1;
    'aux'.'region' := 3;
    'aux'.'T' := 'f'.'T';
    'aux'.'R_s' := 'f'.'R_s';
    'aux'.'rho' := 'f'.'d';
    'aux'.'p' := 'f'.'R_s' * 'f'.'T' * 'f'.'d' * 'f'.'delta' * 'f'.'fdelta';
    'aux'.'h' := 'f'.'R_s' * 'f'.'T' * ('f'.'tau' * 'f'.'ftau' + 'f'.'delta' * 'f'.'fdelta');
    'aux'.'s' := 'f'.'R_s' * ('f'.'tau' * 'f'.'ftau' - 'f'.'f');
    'aux'.'pd' := 'f'.'R_s' * 'f'.'T' * 'f'.'delta' * (2.0 * 'f'.'fdelta' + 'f'.'delta' * 'f'.'fdeltadelta');
    'aux'.'pt' := 'f'.'R_s' * 'f'.'d' * 'f'.'delta' * ('f'.'fdelta' - 'f'.'tau' * 'f'.'fdeltatau');
    'aux'.'cv' := abs('f'.'R_s' * 'f'.'tau' ^ 2 * 'f'.'ftautau');
    'aux'.'cp' := 'aux'.'cv' + 'f'.'T' * 'aux'.'pt' ^ 2 / ('f'.'d' ^ 2 * 'aux'.'pd');
    'aux'.'vt' := 'aux'.'pt' / ('f'.'d' ^ 2 * 'aux'.'pd');
    'aux'.'vp' := -1.0 / ('f'.'d' ^ 2 * 'aux'.'pd');
    'aux'.'x' := 0.0;
    'aux'.'dpT' := 'aux'.'pt';
  end 'Modelica.Media.Water.IF97_Utilities.ofHelmholtz';

  function 'Modelica.Media.Water.IF97_Utilities.boundary' "Properties of the boiling liquid or of the dry vapour"
    input Real 'p';
    input Real 'T';
    input Boolean 'liquid';
    output 'Modelica.Media.Common.PhaseBoundaryProperties' 'sat';
  algorithm
    if 'p' < 16.5292e6 then
      'sat' := 'Modelica.Media.Common.gibbsToBoundaryProps'(if 'liquid' then 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.g1'('p', 'T') else 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.g2'('p', 'T', false));
    else
      'sat' := 'Modelica.Media.Common.helmholtzToBoundaryProps'('Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.f3'('Modelica.Media.Water.IF97_Utilities.BaseIF97.Inverses.saturated3'('p', 'liquid'), 'T'));
    end if;
  end 'Modelica.Media.Water.IF97_Utilities.boundary';

  function 'Modelica.Media.Water.IF97_Utilities.ofPhases' "Properties of a mixture of water and steam"
    input Real 'p';
    input Real 'T';
    input 'Modelica.Media.Common.PhaseBoundaryProperties' 'liq';
    input 'Modelica.Media.Common.PhaseBoundaryProperties' 'vap';
    input Real 'x';
    output 'Modelica.Media.Common.IF97BaseTwoPhase' 'aux';
  algorithm
    'aux'.'phase' := 2;
    'aux'.'region' := 4;
    'aux'.'p' := 'p';
    'aux'.'T' := 'T';
    'aux'.'R_s' := 461.526;
    'aux'.'x' := 'x';
    'aux'.'h' := 'liq'.'h' + 'x' * ('vap'.'h' - 'liq'.'h');
    'aux'.'s' := 'liq'.'s' + 'x' * ('vap'.'s' - 'liq'.'s');
    'aux'.'rho' := 'liq'.'d' * 'vap'.'d' / ('vap'.'d' + 'x' * ('liq'.'d' - 'vap'.'d'));
    'aux'.'dpT' := if 'liq'.'d' <> 'vap'.'d' then ('vap'.'s' - 'liq'.'s') * 'liq'.'d' * 'vap'.'d' / ('liq'.'d' - 'vap'.'d') else 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.dptofT'('T');
    'aux'.'cv' := 'Modelica.Media.Common.cv2Phase'('liq', 'vap', 'x', 'T', 'p');
    'aux'.'cp' := 'liq'.'cp' + 'x' * ('vap'.'cp' - 'liq'.'cp');
    'aux'.'pt' := 'liq'.'pt' + 'x' * ('vap'.'pt' - 'liq'.'pt');
    'aux'.'pd' := 'liq'.'pd' + 'x' * ('vap'.'pd' - 'liq'.'pd');
    'aux'.'vt' := 0.0;
    'aux'.'vp' := 0.0;
  end 'Modelica.Media.Water.IF97_Utilities.ofPhases';

  function 'Modelica.Media.Water.IF97_Utilities.waterBaseProp_pT' "Properties at a pressure and a temperature"
    input Real 'p';
    input Real 'T';
    input Integer 'region' = 0;
    output 'Modelica.Media.Common.IF97BaseTwoPhase' 'aux';
    Integer 'k';
    Integer 'error';
    Real 'd';
  algorithm
    'k' := if 'region' == 0 then 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Regions.region_pT'('p', 'T', 0) else 'region';
    if 'k' == 1 then
      'aux' := 'Modelica.Media.Water.IF97_Utilities.ofGibbs'('Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.g1'('p', 'T'), 1);
    elseif 'k' == 2 then
      'aux' := 'Modelica.Media.Water.IF97_Utilities.ofGibbs'('Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.g2'('p', 'T', true), 2);
    elseif 'k' == 3 then
      ('d', 'error') := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Inverses.dofpt3'('p', 'T', 1e-7);
      'aux' := 'Modelica.Media.Water.IF97_Utilities.ofHelmholtz'('Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.f3'('d', 'T'));
      'aux'.'p' := 'p';
    else
      assert('k' == 5, "IF97 has no such region", AssertionLevel.error);
      'aux' := 'Modelica.Media.Water.IF97_Utilities.ofGibbs'('Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.g5'('p', 'T'), 5);
    end if;
  end 'Modelica.Media.Water.IF97_Utilities.waterBaseProp_pT';

  function 'Modelica.Media.Water.IF97_Utilities.waterBaseProp_ph' "Properties at a pressure and an enthalpy"
    input Real 'p';
    input Real 'h';
    input Integer 'phase' = 0;
    input Integer 'region' = 0;
    output 'Modelica.Media.Common.IF97BaseTwoPhase' 'aux';
    'Modelica.Media.Common.PhaseBoundaryProperties' 'liq';
    'Modelica.Media.Common.PhaseBoundaryProperties' 'vap';
    Integer 'k';
    Integer 'error';
    Real 'd';
    Real 'T';
  algorithm
    'k' := if 'region' <> 0 then 'region' elseif 'phase' == 2 then 4 else 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Regions.region_ph'('p', 'h', 'phase', 0);
    if 'k' == 1 then
      'aux' := 'Modelica.Media.Water.IF97_Utilities.ofGibbs'('Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.g1'('p', 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tph1'('p', 'h')), 1);
    elseif 'k' == 2 then
      'aux' := 'Modelica.Media.Water.IF97_Utilities.ofGibbs'('Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.g2'('p', 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tph2'('p', 'h'), true), 2);
    elseif 'k' == 3 then
      ('d', 'T', 'error') := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Inverses.dtofph3'('p', 'h', 1e-7, 1e-6);
      'aux' := 'Modelica.Media.Water.IF97_Utilities.ofHelmholtz'('Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.f3'('d', 'T'));
      'aux'.'p' := 'p';
    elseif 'k' == 4 then
      'T' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tsat'('p');
      'liq' := 'Modelica.Media.Water.IF97_Utilities.boundary'('p', 'T', true);
      'vap' := 'Modelica.Media.Water.IF97_Utilities.boundary'('p', 'T', false);
      'aux' := 'Modelica.Media.Water.IF97_Utilities.ofPhases'('p', 'T', 'liq', 'vap', if 'vap'.'h' <> 'liq'.'h' then ('h' - 'liq'.'h') / ('vap'.'h' - 'liq'.'h') else 1.0);
    else
      ('T', 'error') := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Inverses.tofph5'('p', 'h', 1e-7);
      assert('k' == 5 and 'error' == 0, "IF97 has no such state", AssertionLevel.error);
      'aux' := 'Modelica.Media.Water.IF97_Utilities.ofGibbs'('Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.g5'('p', 'T'), 5);
    end if;
    'aux'.'h' := 'h';
  end 'Modelica.Media.Water.IF97_Utilities.waterBaseProp_ph';

  function 'Modelica.Media.Water.IF97_Utilities.sl_p' "Entropy of the boiling liquid"
    input Real 'p';
    output Real 's';
  algorithm
    's' := ('Modelica.Media.Water.IF97_Utilities.boundary'('p', 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tsat'('p'), true)).s;
  end 'Modelica.Media.Water.IF97_Utilities.sl_p';

  function 'Modelica.Media.Water.IF97_Utilities.sv_p' "Entropy of the dry vapour"
    input Real 'p';
    output Real 's';
  algorithm
    's' := ('Modelica.Media.Water.IF97_Utilities.boundary'('p', 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tsat'('p'), false)).s;
  end 'Modelica.Media.Water.IF97_Utilities.sv_p';

  function 'Modelica.Media.Water.IF97_Utilities.rhol_p' "Density of the boiling liquid"
    input Real 'p';
    output Real 'rho';
  algorithm
    'rho' := 'Modelica.Media.Water.IF97_Utilities.rhol_T'('Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tsat'('p'));
  end 'Modelica.Media.Water.IF97_Utilities.rhol_p';

  function 'Modelica.Media.Water.IF97_Utilities.rhov_p' "Density of the dry vapour"
    input Real 'p';
    output Real 'rho';
  algorithm
    'rho' := 'Modelica.Media.Water.IF97_Utilities.rhov_T'('Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tsat'('p'));
  end 'Modelica.Media.Water.IF97_Utilities.rhov_p';

  function 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tps1' "Temperature of region 1 at a pressure and an entropy, by Newton's method"
    input Real 'p';
    input Real 's';
    output Real 'T';
    'Modelica.Media.Common.GibbsDerivs' 'g';
    Real 'e';
  algorithm
    'T' := min(623.15, max(273.15, 273.15 * exp('s' / 4200.0)));
    for 'k' in 1:50 loop
      'g' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.g1'('p', 'T');
      'e' := 461.526 * ('g'.'tau' * 'g'.'gtau' - 'g'.'g') - 's';
      'T' := min(680.0, max(250.0, 'T' + 'T' * 'e' / (461.526 * 'g'.'tau' ^ 2 * 'g'.'gtautau')));
      if abs('e') <= 1e-9 * (1.0 + abs('s')) then
        break;
      end if;
    end for;
  end 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tps1';

  function 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tps2' "Temperature of region 2 at a pressure and an entropy, by Newton's method"
    input Real 'p';
    input Real 's';
    output Real 'T';
    'Modelica.Media.Common.GibbsDerivs' 'g';
    Real 'e';
  algorithm
    // Newton's method over the logarithm of the temperature, over which the entropy is almost a straight line.
    'T' := if 'p' < 16.5292e6 then 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tsat'('p') else 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Regions.boundary23ofp'('p');
    for 'k' in 1:50 loop
      'g' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.g2'('p', 'T', false);
      'e' := 461.526 * ('g'.'tau' * 'g'.'gtau' - 'g'.'g') - 's';
      'T' := min(1500.0, max(250.0, 'T' * exp(max(-0.5, min(0.5, 'e' / (461.526 * 'g'.'tau' ^ 2 * 'g'.'gtautau'))))));
      if abs('e') <= 1e-9 * (1.0 + abs('s')) then
        break;
      end if;
    end for;
  end 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tps2';

  function 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Inverses.tofps5' "Temperature of region 5 at a pressure and an entropy, by Newton's method"
    input Real 'p';
    input Real 's';
    input Real 'relds';
    output Real 'T';
    output Integer 'error';
    'Modelica.Media.Common.GibbsDerivs' 'g';
    Real 'e';
  algorithm
    'T' := 1500.0;
    'error' := 1;
    for 'k' in 1:50 loop
      'g' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.g5'('p', 'T');
      'e' := 461.526 * ('g'.'tau' * 'g'.'gtau' - 'g'.'g') - 's';
      'T' := min(2500.0, max(900.0, 'T' * exp('e' / (461.526 * 'g'.'tau' ^ 2 * 'g'.'gtautau'))));
      if abs('e') <= 1e-12 * abs('s') then
        'error' := 0;
        break;
      end if;
    end for;
    if abs('e') <= 'relds' * abs('s') then
      'error' := 0;
    end if;
  end 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Inverses.tofps5';

  function 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Inverses.dtofps3' "Density and temperature of region 3 at a pressure and an entropy: Newton's method for the temperature, kept inside by halving"
    input Real 'p';
    input Real 's';
    input Real 'delp';
    input Real 'dels';
    output Real 'd';
    output Real 'T';
    output Integer 'error';
    'Modelica.Media.Common.IF97BaseTwoPhase' 'aux';
    Real 'lo';
    Real 'hi';
    Real 'e';
    Real 'next';
    Integer 'inner';
  algorithm
    'lo' := 623.15;
    'hi' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Regions.boundary23ofp'('p') + 1.0;
    if 'p' < 22.064e6 then
      if 's' < 0.5 * ('Modelica.Media.Water.IF97_Utilities.sl_p'('p') + 'Modelica.Media.Water.IF97_Utilities.sv_p'('p')) then
        'hi' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tsat'('p');
      else
        'lo' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tsat'('p');
      end if;
    end if;
    'T' := 0.5 * ('lo' + 'hi');
    'error' := 1;
    for 'k' in 1:100 loop
      ('d', 'inner') := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Inverses.dofpt3'('p', 'T', 'delp');
      'aux' := 'Modelica.Media.Water.IF97_Utilities.ofHelmholtz'('Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.f3'('d', 'T'));
      'e' := 'aux'.'s' - 's';
      if 'e' > 0.0 then
        'hi' := 'T';
      else
        'lo' := 'T';
      end if;
      'next' := if 'aux'.'cp' > 0.0 then 'T' - 'T' * 'e' / 'aux'.'cp' else 0.0;
      if not ('next' > 'lo' and 'next' < 'hi') then
        'next' := 0.5 * ('lo' + 'hi');
      end if;
      'T' := 'next';
      if abs('e') <= 1e-9 * abs('s') then
        'error' := 'inner';
        break;
      end if;
    end for;
    ('d', 'inner') := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Inverses.dofpt3'('p', 'T', 'delp');
  end 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Inverses.dtofps3';

  function 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Regions.region_ps' "Region of a pressure and an entropy"
    input Real 'p';
    input Real 's';
    input Integer 'phase' = 0;
    input Integer 'mode' = 0;
    output Integer 'region';
    Real 'sl';
    Real 'sv';
    Real 's5';
  algorithm
    if 'mode' <> 0 then
      'region' := 'mode';
    elseif 'phase' == 2 then
      'region' := 4;
    else
      's5' := ('Modelica.Media.Water.IF97_Utilities.ofGibbs'('Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.g2'('p', 1073.15, false), 2)).s;
      if 'p' < 16.5292e6 then
        'sl' := 'Modelica.Media.Water.IF97_Utilities.sl_p'('p');
        'sv' := 'Modelica.Media.Water.IF97_Utilities.sv_p'('p');
        'region' := if 's' < 'sl' or 'phase' == 1 and 's' < 0.5 * ('sl' + 'sv') then 1 elseif 's' > 'sv' or 'phase' == 1 then (if 's' > 's5' then 5 else 2) else 4;
      else
        'sl' := ('Modelica.Media.Water.IF97_Utilities.ofGibbs'('Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.g1'('p', 623.15), 1)).s;
        'sv' := ('Modelica.Media.Water.IF97_Utilities.ofGibbs'('Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.g2'('p', 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Regions.boundary23ofp'('p'), false), 2)).s;
        if 's' <= 'sl' then
          'region' := 1;
        elseif 's' >= 'sv' then
          'region' := if 's' > 's5' then 5 else 2;
        elseif 'p' < 22.064e6 and 'phase' <> 1 and 's' > 'Modelica.Media.Water.IF97_Utilities.sl_p'('p') and 's' < 'Modelica.Media.Water.IF97_Utilities.sv_p'('p') then
          'region' := 4;
        else
          'region' := 3;
        end if;
      end if;
    end if;
  end 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Regions.region_ps';

  function 'Modelica.Media.Water.IF97_Utilities.waterBaseProp_ps' "Properties at a pressure and an entropy"
    input Real 'p';
    input Real 's';
    input Integer 'phase' = 0;
    input Integer 'region' = 0;
    output 'Modelica.Media.Common.IF97BaseTwoPhase' 'aux';
    'Modelica.Media.Common.PhaseBoundaryProperties' 'liq';
    'Modelica.Media.Common.PhaseBoundaryProperties' 'vap';
    Integer 'k';
    Integer 'error';
    Real 'd';
    Real 'T';
  algorithm
    'k' := if 'region' <> 0 then 'region' elseif 'phase' == 2 then 4 else 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Regions.region_ps'('p', 's', 'phase', 0);
    if 'k' == 1 then
      'aux' := 'Modelica.Media.Water.IF97_Utilities.ofGibbs'('Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.g1'('p', 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tps1'('p', 's')), 1);
    elseif 'k' == 2 then
      'aux' := 'Modelica.Media.Water.IF97_Utilities.ofGibbs'('Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.g2'('p', 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tps2'('p', 's'), true), 2);
    elseif 'k' == 3 then
      ('d', 'T', 'error') := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Inverses.dtofps3'('p', 's', 1e-7, 1e-6);
      'aux' := 'Modelica.Media.Water.IF97_Utilities.ofHelmholtz'('Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.f3'('d', 'T'));
      'aux'.'p' := 'p';
    elseif 'k' == 4 then
      'T' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tsat'('p');
      'liq' := 'Modelica.Media.Water.IF97_Utilities.boundary'('p', 'T', true);
      'vap' := 'Modelica.Media.Water.IF97_Utilities.boundary'('p', 'T', false);
      'aux' := 'Modelica.Media.Water.IF97_Utilities.ofPhases'('p', 'T', 'liq', 'vap', if 'vap'.'s' <> 'liq'.'s' then ('s' - 'liq'.'s') / ('vap'.'s' - 'liq'.'s') else 1.0);
    else
      ('T', 'error') := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Inverses.tofps5'('p', 's', 1e-7);
      assert('k' == 5 and 'error' == 0, "IF97 has no such state", AssertionLevel.error);
      'aux' := 'Modelica.Media.Water.IF97_Utilities.ofGibbs'('Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.g5'('p', 'T'), 5);
    end if;
    'aux'.'s' := 's';
  end 'Modelica.Media.Water.IF97_Utilities.waterBaseProp_ps';

  function 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Regions.region_dT' "Region of a density and a temperature"
    input Real 'd';
    input Real 'T';
    input Integer 'phase' = 0;
    input Integer 'mode' = 0;
    output Integer 'region';
    'Modelica.Media.Common.GibbsDerivs' 'g';
    Real 'p';
  algorithm
    if 'mode' <> 0 then
      'region' := 'mode';
    elseif 'phase' == 2 then
      'region' := 4;
    elseif 'T' > 1073.15 then
      'region' := 5;
    elseif 'T' > 623.15 then
      'p' := if 'T' < 863.15 then 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Regions.boundary23ofT'('T') else 100e6;
      'g' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.g2'('p', 'T', false);
      if 'd' <= 'p' / (461.526 * 'T' * 'g'.'pi' * 'g'.'gpi') then
        'region' := 2;
      elseif 'T' < 647.096 and 'phase' <> 1 and 'd' < 'Modelica.Media.Water.IF97_Utilities.rhol_T'('T') and 'd' > 'Modelica.Media.Water.IF97_Utilities.rhov_T'('T') then
        'region' := 4;
      else
        'region' := 3;
      end if;
    else
      'region' := if 'd' >= 'Modelica.Media.Water.IF97_Utilities.rhol_T'('T') or 'phase' == 1 and 'd' > 322.0 then 1 elseif 'd' <= 'Modelica.Media.Water.IF97_Utilities.rhov_T'('T') or 'phase' == 1 then 2 else 4;
    end if;
  end 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Regions.region_dT';

  function 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Inverses.pofdt125' "Pressure of regions 1, 2 and 5 at a density and a temperature, by Newton's method"
    input Real 'd';
    input Real 'T';
    input Real 'reldd';
    input Integer 'region';
    output Real 'p';
    output Integer 'error';
    'Modelica.Media.Common.GibbsDerivs' 'g';
    'Modelica.Media.Common.IF97BaseTwoPhase' 'aux';
    Real 'e';
  algorithm
    'p' := if 'region' == 1 then 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.psat'('T') else 'd' * 461.526 * 'T';
    if 'region' == 2 and 'T' <= 623.15 then
      'p' := min('p', 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.psat'('T'));
    end if;
    'error' := 1;
    for 'k' in 1:50 loop
      if 'region' == 1 then
        'g' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.g1'('p', 'T');
      elseif 'region' == 2 then
        'g' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.g2'('p', 'T', false);
      else
        'g' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.g5'('p', 'T');
      end if;
      'aux' := 'Modelica.Media.Water.IF97_Utilities.ofGibbs'('g', 'region');
      'e' := 'aux'.'rho' - 'd';
      'p' := min(200e6, max(0.5 * 'p', 'p' - 'e' * 'aux'.'pd'));
      if abs('e') <= 1e-13 * 'd' then
        'error' := 0;
        break;
      end if;
    end for;
    if abs('e') <= 'reldd' * 'd' then
      'error' := 0;
    end if;
  end 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Inverses.pofdt125';

  function 'Modelica.Media.Water.IF97_Utilities.waterBaseProp_dT' "Properties at a density and a temperature"
    input Real 'd';
    input Real 'T';
    input Integer 'phase' = 0;
    input Integer 'region' = 0;
    output 'Modelica.Media.Common.IF97BaseTwoPhase' 'aux';
    'Modelica.Media.Common.PhaseBoundaryProperties' 'liq';
    'Modelica.Media.Common.PhaseBoundaryProperties' 'vap';
    Integer 'k';
    Integer 'error';
    Real 'p';
  algorithm
    'k' := if 'region' <> 0 then 'region' elseif 'phase' == 2 then 4 else 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Regions.region_dT'('d', 'T', 'phase', 0);
    if 'k' == 1 then
      ('p', 'error') := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Inverses.pofdt125'('d', 'T', 1e-7, 1);
      'aux' := 'Modelica.Media.Water.IF97_Utilities.ofGibbs'('Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.g1'('p', 'T'), 1);
    elseif 'k' == 2 then
      ('p', 'error') := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Inverses.pofdt125'('d', 'T', 1e-7, 2);
      'aux' := 'Modelica.Media.Water.IF97_Utilities.ofGibbs'('Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.g2'('p', 'T', true), 2);
    elseif 'k' == 3 then
      'aux' := 'Modelica.Media.Water.IF97_Utilities.ofHelmholtz'('Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.f3'('d', 'T'));
    elseif 'k' == 4 then
      'p' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.psat'('T');
      'liq' := 'Modelica.Media.Water.IF97_Utilities.boundary'('p', 'T', true);
      'vap' := 'Modelica.Media.Water.IF97_Utilities.boundary'('p', 'T', false);
      'aux' := 'Modelica.Media.Water.IF97_Utilities.ofPhases'('p', 'T', 'liq', 'vap', if 'vap'.'d' <> 'liq'.'d' then 'vap'.'d' * ('liq'.'d' - 'd') / ('d' * ('liq'.'d' - 'vap'.'d')) else 1.0);
    else
      assert('k' == 5, "IF97 has no such state", AssertionLevel.error);
      ('p', 'error') := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Inverses.pofdt125'('d', 'T', 1e-7, 5);
      'aux' := 'Modelica.Media.Water.IF97_Utilities.ofGibbs'('Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.g5'('p', 'T'), 5);
    end if;
    'aux'.'rho' := 'd';
  end 'Modelica.Media.Water.IF97_Utilities.waterBaseProp_dT';

  function 'Modelica.Media.Water.IF97_Utilities.rho_props_pT' "Density, from the properties"
    input Real 'p';
    input Real 'T';
    input 'Modelica.Media.Common.IF97BaseTwoPhase' 'aux';
    output Real 'rho';
  algorithm
    'rho' := 'aux'.'rho';
    annotation(derivative(noDerivative = 'aux') = 'Modelica.Media.Water.IF97_Utilities.rho_pT_der');
  end 'Modelica.Media.Water.IF97_Utilities.rho_props_pT';

  function 'Modelica.Media.Water.IF97_Utilities.rho_pT' "Density"
    input Real 'p';
    input Real 'T';
    input Integer 'region' = 0;
    output Real 'rho';
  algorithm
    'rho' := 'Modelica.Media.Water.IF97_Utilities.rho_props_pT'('p', 'T', 'Modelica.Media.Water.IF97_Utilities.waterBaseProp_pT'('p', 'T', 'region'));
  end 'Modelica.Media.Water.IF97_Utilities.rho_pT';

  function 'Modelica.Media.Water.IF97_Utilities.h_props_pT' "Enthalpy, from the properties"
    input Real 'p';
    input Real 'T';
    input 'Modelica.Media.Common.IF97BaseTwoPhase' 'aux';
    output Real 'h';
  algorithm
    'h' := 'aux'.'h';
    annotation(derivative(noDerivative = 'aux') = 'Modelica.Media.Water.IF97_Utilities.h_pT_der');
  end 'Modelica.Media.Water.IF97_Utilities.h_props_pT';

  function 'Modelica.Media.Water.IF97_Utilities.h_pT' "Enthalpy"
    input Real 'p';
    input Real 'T';
    input Integer 'region' = 0;
    output Real 'h';
  algorithm
    'h' := 'Modelica.Media.Water.IF97_Utilities.h_props_pT'('p', 'T', 'Modelica.Media.Water.IF97_Utilities.waterBaseProp_pT'('p', 'T', 'region'));
  end 'Modelica.Media.Water.IF97_Utilities.h_pT';

  function 'Modelica.Media.Water.IF97_Utilities.s_props_pT' "Entropy, from the properties"
    input Real 'p';
    input Real 'T';
    input 'Modelica.Media.Common.IF97BaseTwoPhase' 'aux';
    output Real 's';
  algorithm
    's' := 'aux'.'s';
  end 'Modelica.Media.Water.IF97_Utilities.s_props_pT';

  function 'Modelica.Media.Water.IF97_Utilities.s_pT' "Entropy"
    input Real 'p';
    input Real 'T';
    input Integer 'region' = 0;
    output Real 's';
  algorithm
    's' := 'Modelica.Media.Water.IF97_Utilities.s_props_pT'('p', 'T', 'Modelica.Media.Water.IF97_Utilities.waterBaseProp_pT'('p', 'T', 'region'));
  end 'Modelica.Media.Water.IF97_Utilities.s_pT';

  function 'Modelica.Media.Water.IF97_Utilities.cp_props_pT' "Heat capacity at constant pressure, from the properties"
    input Real 'p';
    input Real 'T';
    input 'Modelica.Media.Common.IF97BaseTwoPhase' 'aux';
    output Real 'cp';
  algorithm
    'cp' := 'aux'.'cp';
  end 'Modelica.Media.Water.IF97_Utilities.cp_props_pT';

  function 'Modelica.Media.Water.IF97_Utilities.cp_pT' "Heat capacity at constant pressure"
    input Real 'p';
    input Real 'T';
    input Integer 'region' = 0;
    output Real 'cp';
  algorithm
    'cp' := 'Modelica.Media.Water.IF97_Utilities.cp_props_pT'('p', 'T', 'Modelica.Media.Water.IF97_Utilities.waterBaseProp_pT'('p', 'T', 'region'));
  end 'Modelica.Media.Water.IF97_Utilities.cp_pT';

  function 'Modelica.Media.Water.IF97_Utilities.cv_props_pT' "Heat capacity at constant volume, from the properties"
    input Real 'p';
    input Real 'T';
    input 'Modelica.Media.Common.IF97BaseTwoPhase' 'aux';
    output Real 'cv';
  algorithm
    'cv' := 'aux'.'cv';
  end 'Modelica.Media.Water.IF97_Utilities.cv_props_pT';

  function 'Modelica.Media.Water.IF97_Utilities.cv_pT' "Heat capacity at constant volume"
    input Real 'p';
    input Real 'T';
    input Integer 'region' = 0;
    output Real 'cv';
  algorithm
    'cv' := 'Modelica.Media.Water.IF97_Utilities.cv_props_pT'('p', 'T', 'Modelica.Media.Water.IF97_Utilities.waterBaseProp_pT'('p', 'T', 'region'));
  end 'Modelica.Media.Water.IF97_Utilities.cv_pT';

  function 'Modelica.Media.Water.IF97_Utilities.rho_pT_der'
    input Real 'p';
    input Real 'T';
    input 'Modelica.Media.Common.IF97BaseTwoPhase' 'aux';
    input Real 'p_der';
    input Real 'T_der';
    output Real 'rho_der';
  algorithm
    'rho_der' := -'aux'.'rho' ^ 2 * ('aux'.'vp' * 'p_der' + 'aux'.'vt' * 'T_der');
  end 'Modelica.Media.Water.IF97_Utilities.rho_pT_der';

  function 'Modelica.Media.Water.IF97_Utilities.h_pT_der'
    input Real 'p';
    input Real 'T';
    input 'Modelica.Media.Common.IF97BaseTwoPhase' 'aux';
    input Real 'p_der';
    input Real 'T_der';
    output Real 'h_der';
  algorithm
    'h_der' := (1.0 / 'aux'.'rho' - 'aux'.'T' * 'aux'.'vt') * 'p_der' + 'aux'.'cp' * 'T_der';
  end 'Modelica.Media.Water.IF97_Utilities.h_pT_der';

  function 'Modelica.Media.Water.IF97_Utilities.rho_props_ph' "Density, from the properties"
    input Real 'p';
    input Real 'h';
    input 'Modelica.Media.Common.IF97BaseTwoPhase' 'aux';
    output Real 'rho';
  algorithm
    'rho' := 'aux'.'rho';
    annotation(derivative(noDerivative = 'aux') = 'Modelica.Media.Water.IF97_Utilities.rho_ph_der');
  end 'Modelica.Media.Water.IF97_Utilities.rho_props_ph';

  function 'Modelica.Media.Water.IF97_Utilities.rho_ph' "Density"
    input Real 'p';
    input Real 'h';
    input Integer 'phase' = 0;
    input Integer 'region' = 0;
    output Real 'rho';
  algorithm
    'rho' := 'Modelica.Media.Water.IF97_Utilities.rho_props_ph'('p', 'h', 'Modelica.Media.Water.IF97_Utilities.waterBaseProp_ph'('p', 'h', 'phase', 'region'));
  end 'Modelica.Media.Water.IF97_Utilities.rho_ph';

  function 'Modelica.Media.Water.IF97_Utilities.T_props_ph' "Temperature, from the properties"
    input Real 'p';
    input Real 'h';
    input 'Modelica.Media.Common.IF97BaseTwoPhase' 'aux';
    output Real 'T';
  algorithm
    'T' := 'aux'.'T';
    annotation(derivative(noDerivative = 'aux') = 'Modelica.Media.Water.IF97_Utilities.T_ph_der');
  end 'Modelica.Media.Water.IF97_Utilities.T_props_ph';

  function 'Modelica.Media.Water.IF97_Utilities.T_ph' "Temperature"
    input Real 'p';
    input Real 'h';
    input Integer 'phase' = 0;
    input Integer 'region' = 0;
    output Real 'T';
  algorithm
    'T' := 'Modelica.Media.Water.IF97_Utilities.T_props_ph'('p', 'h', 'Modelica.Media.Water.IF97_Utilities.waterBaseProp_ph'('p', 'h', 'phase', 'region'));
  end 'Modelica.Media.Water.IF97_Utilities.T_ph';

  function 'Modelica.Media.Water.IF97_Utilities.s_props_ph' "Entropy, from the properties"
    input Real 'p';
    input Real 'h';
    input 'Modelica.Media.Common.IF97BaseTwoPhase' 'aux';
    output Real 's';
  algorithm
    's' := 'aux'.'s';
  end 'Modelica.Media.Water.IF97_Utilities.s_props_ph';

  function 'Modelica.Media.Water.IF97_Utilities.s_ph' "Entropy"
    input Real 'p';
    input Real 'h';
    input Integer 'phase' = 0;
    input Integer 'region' = 0;
    output Real 's';
  algorithm
    's' := 'Modelica.Media.Water.IF97_Utilities.s_props_ph'('p', 'h', 'Modelica.Media.Water.IF97_Utilities.waterBaseProp_ph'('p', 'h', 'phase', 'region'));
  end 'Modelica.Media.Water.IF97_Utilities.s_ph';

  function 'Modelica.Media.Water.IF97_Utilities.cp_props_ph' "Heat capacity at constant pressure, from the properties"
    input Real 'p';
    input Real 'h';
    input 'Modelica.Media.Common.IF97BaseTwoPhase' 'aux';
    output Real 'cp';
  algorithm
    'cp' := 'aux'.'cp';
  end 'Modelica.Media.Water.IF97_Utilities.cp_props_ph';

  function 'Modelica.Media.Water.IF97_Utilities.cp_ph' "Heat capacity at constant pressure"
    input Real 'p';
    input Real 'h';
    input Integer 'phase' = 0;
    input Integer 'region' = 0;
    output Real 'cp';
  algorithm
    'cp' := 'Modelica.Media.Water.IF97_Utilities.cp_props_ph'('p', 'h', 'Modelica.Media.Water.IF97_Utilities.waterBaseProp_ph'('p', 'h', 'phase', 'region'));
  end 'Modelica.Media.Water.IF97_Utilities.cp_ph';

  function 'Modelica.Media.Water.IF97_Utilities.cv_props_ph' "Heat capacity at constant volume, from the properties"
    input Real 'p';
    input Real 'h';
    input 'Modelica.Media.Common.IF97BaseTwoPhase' 'aux';
    output Real 'cv';
  algorithm
    'cv' := 'aux'.'cv';
  end 'Modelica.Media.Water.IF97_Utilities.cv_props_ph';

  function 'Modelica.Media.Water.IF97_Utilities.cv_ph' "Heat capacity at constant volume"
    input Real 'p';
    input Real 'h';
    input Integer 'phase' = 0;
    input Integer 'region' = 0;
    output Real 'cv';
  algorithm
    'cv' := 'Modelica.Media.Water.IF97_Utilities.cv_props_ph'('p', 'h', 'Modelica.Media.Water.IF97_Utilities.waterBaseProp_ph'('p', 'h', 'phase', 'region'));
  end 'Modelica.Media.Water.IF97_Utilities.cv_ph';

  function 'Modelica.Media.Water.IF97_Utilities.rho_ph_der'
    input Real 'p';
    input Real 'h';
    input 'Modelica.Media.Common.IF97BaseTwoPhase' 'aux';
    input Real 'p_der';
    input Real 'h_der';
    output Real 'rho_der';
  algorithm
    'rho_der' := if 'aux'.'region' == 4 then ('aux'.'rho' * ('aux'.'rho' * 'aux'.'cv' / 'aux'.'dpT' + 1.0) * 'p_der' - 'aux'.'rho' ^ 2 * 'h_der') / ('aux'.'dpT' * 'aux'.'T') else ('aux'.'rho' * ('aux'.'cv' * 'aux'.'rho' + 'aux'.'pt') * 'p_der' - 'aux'.'rho' ^ 2 * 'aux'.'pt' * 'h_der') / ('aux'.'rho' ^ 2 * 'aux'.'pd' * 'aux'.'cv' + 'aux'.'T' * 'aux'.'pt' ^ 2);
  end 'Modelica.Media.Water.IF97_Utilities.rho_ph_der';

  function 'Modelica.Media.Water.IF97_Utilities.T_ph_der'
    input Real 'p';
    input Real 'h';
    input 'Modelica.Media.Common.IF97BaseTwoPhase' 'aux';
    input Real 'p_der';
    input Real 'h_der';
    output Real 'T_der';
  algorithm
    'T_der' := if 'aux'.'region' == 4 then 'p_der' / 'aux'.'dpT' else (('aux'.'T' * 'aux'.'pt' - 'aux'.'rho' ^ 2 * 'aux'.'pd') * 'p_der' / 'aux'.'rho' + 'aux'.'rho' ^ 2 * 'aux'.'pd' * 'h_der') / ('aux'.'rho' ^ 2 * 'aux'.'pd' * 'aux'.'cv' + 'aux'.'T' * 'aux'.'pt' ^ 2);
  end 'Modelica.Media.Water.IF97_Utilities.T_ph_der';

  function 'Modelica.Media.Water.IF97_Utilities.rho_props_ps' "Density, from the properties"
    input Real 'p';
    input Real 's';
    input 'Modelica.Media.Common.IF97BaseTwoPhase' 'aux';
    output Real 'rho';
  algorithm
    'rho' := 'aux'.'rho';
  end 'Modelica.Media.Water.IF97_Utilities.rho_props_ps';

  function 'Modelica.Media.Water.IF97_Utilities.rho_ps' "Density"
    input Real 'p';
    input Real 's';
    input Integer 'phase' = 0;
    input Integer 'region' = 0;
    output Real 'rho';
  algorithm
    'rho' := 'Modelica.Media.Water.IF97_Utilities.rho_props_ps'('p', 's', 'Modelica.Media.Water.IF97_Utilities.waterBaseProp_ps'('p', 's', 'phase', 'region'));
  end 'Modelica.Media.Water.IF97_Utilities.rho_ps';

  function 'Modelica.Media.Water.IF97_Utilities.T_props_ps' "Temperature, from the properties"
    input Real 'p';
    input Real 's';
    input 'Modelica.Media.Common.IF97BaseTwoPhase' 'aux';
    output Real 'T';
  algorithm
    'T' := 'aux'.'T';
  end 'Modelica.Media.Water.IF97_Utilities.T_props_ps';

  function 'Modelica.Media.Water.IF97_Utilities.T_ps' "Temperature"
    input Real 'p';
    input Real 's';
    input Integer 'phase' = 0;
    input Integer 'region' = 0;
    output Real 'T';
  algorithm
    'T' := 'Modelica.Media.Water.IF97_Utilities.T_props_ps'('p', 's', 'Modelica.Media.Water.IF97_Utilities.waterBaseProp_ps'('p', 's', 'phase', 'region'));
  end 'Modelica.Media.Water.IF97_Utilities.T_ps';

  function 'Modelica.Media.Water.IF97_Utilities.h_props_ps' "Enthalpy, from the properties"
    input Real 'p';
    input Real 's';
    input 'Modelica.Media.Common.IF97BaseTwoPhase' 'aux';
    output Real 'h';
  algorithm
    'h' := 'aux'.'h';
    annotation(derivative(noDerivative = 'aux') = 'Modelica.Media.Water.IF97_Utilities.h_ps_der');
  end 'Modelica.Media.Water.IF97_Utilities.h_props_ps';

  function 'Modelica.Media.Water.IF97_Utilities.h_ps' "Enthalpy"
    input Real 'p';
    input Real 's';
    input Integer 'phase' = 0;
    input Integer 'region' = 0;
    output Real 'h';
  algorithm
    'h' := 'Modelica.Media.Water.IF97_Utilities.h_props_ps'('p', 's', 'Modelica.Media.Water.IF97_Utilities.waterBaseProp_ps'('p', 's', 'phase', 'region'));
  end 'Modelica.Media.Water.IF97_Utilities.h_ps';

  function 'Modelica.Media.Water.IF97_Utilities.cp_props_ps' "Heat capacity at constant pressure, from the properties"
    input Real 'p';
    input Real 's';
    input 'Modelica.Media.Common.IF97BaseTwoPhase' 'aux';
    output Real 'cp';
  algorithm
    'cp' := 'aux'.'cp';
  end 'Modelica.Media.Water.IF97_Utilities.cp_props_ps';

  function 'Modelica.Media.Water.IF97_Utilities.cp_ps' "Heat capacity at constant pressure"
    input Real 'p';
    input Real 's';
    input Integer 'phase' = 0;
    input Integer 'region' = 0;
    output Real 'cp';
  algorithm
    'cp' := 'Modelica.Media.Water.IF97_Utilities.cp_props_ps'('p', 's', 'Modelica.Media.Water.IF97_Utilities.waterBaseProp_ps'('p', 's', 'phase', 'region'));
  end 'Modelica.Media.Water.IF97_Utilities.cp_ps';

  function 'Modelica.Media.Water.IF97_Utilities.cv_props_ps' "Heat capacity at constant volume, from the properties"
    input Real 'p';
    input Real 's';
    input 'Modelica.Media.Common.IF97BaseTwoPhase' 'aux';
    output Real 'cv';
  algorithm
    'cv' := 'aux'.'cv';
  end 'Modelica.Media.Water.IF97_Utilities.cv_props_ps';

  function 'Modelica.Media.Water.IF97_Utilities.cv_ps' "Heat capacity at constant volume"
    input Real 'p';
    input Real 's';
    input Integer 'phase' = 0;
    input Integer 'region' = 0;
    output Real 'cv';
  algorithm
    'cv' := 'Modelica.Media.Water.IF97_Utilities.cv_props_ps'('p', 's', 'Modelica.Media.Water.IF97_Utilities.waterBaseProp_ps'('p', 's', 'phase', 'region'));
  end 'Modelica.Media.Water.IF97_Utilities.cv_ps';

  function 'Modelica.Media.Water.IF97_Utilities.h_ps_der'
    input Real 'p';
    input Real 's';
    input 'Modelica.Media.Common.IF97BaseTwoPhase' 'aux';
    input Real 'p_der';
    input Real 's_der';
    output Real 'h_der';
  algorithm
    'h_der' := 'p_der' / 'aux'.'rho' + 'aux'.'T' * 's_der';
  end 'Modelica.Media.Water.IF97_Utilities.h_ps_der';

  function 'Modelica.Media.Water.IF97_Utilities.h_props_dT' "Enthalpy, from the properties"
    input Real 'd';
    input Real 'T';
    input 'Modelica.Media.Common.IF97BaseTwoPhase' 'aux';
    output Real 'h';
  algorithm
    'h' := 'aux'.'h';
    annotation(derivative(noDerivative = 'aux') = 'Modelica.Media.Water.IF97_Utilities.h_dT_der');
  end 'Modelica.Media.Water.IF97_Utilities.h_props_dT';

  function 'Modelica.Media.Water.IF97_Utilities.h_dT' "Enthalpy"
    input Real 'd';
    input Real 'T';
    input Integer 'phase' = 0;
    input Integer 'region' = 0;
    output Real 'h';
  algorithm
    'h' := 'Modelica.Media.Water.IF97_Utilities.h_props_dT'('d', 'T', 'Modelica.Media.Water.IF97_Utilities.waterBaseProp_dT'('d', 'T', 'phase', 'region'));
  end 'Modelica.Media.Water.IF97_Utilities.h_dT';

  function 'Modelica.Media.Water.IF97_Utilities.s_props_dT' "Entropy, from the properties"
    input Real 'd';
    input Real 'T';
    input 'Modelica.Media.Common.IF97BaseTwoPhase' 'aux';
    output Real 's';
  algorithm
    's' := 'aux'.'s';
  end 'Modelica.Media.Water.IF97_Utilities.s_props_dT';

  function 'Modelica.Media.Water.IF97_Utilities.s_dT' "Entropy"
    input Real 'd';
    input Real 'T';
    input Integer 'phase' = 0;
    input Integer 'region' = 0;
    output Real 's';
  algorithm
    's' := 'Modelica.Media.Water.IF97_Utilities.s_props_dT'('d', 'T', 'Modelica.Media.Water.IF97_Utilities.waterBaseProp_dT'('d', 'T', 'phase', 'region'));
  end 'Modelica.Media.Water.IF97_Utilities.s_dT';

  function 'Modelica.Media.Water.IF97_Utilities.p_props_dT' "Pressure, from the properties"
    input Real 'd';
    input Real 'T';
    input 'Modelica.Media.Common.IF97BaseTwoPhase' 'aux';
    output Real 'p';
  algorithm
    'p' := 'aux'.'p';
    annotation(derivative(noDerivative = 'aux') = 'Modelica.Media.Water.IF97_Utilities.p_dT_der');
  end 'Modelica.Media.Water.IF97_Utilities.p_props_dT';

  function 'Modelica.Media.Water.IF97_Utilities.p_dT' "Pressure"
    input Real 'd';
    input Real 'T';
    input Integer 'phase' = 0;
    input Integer 'region' = 0;
    output Real 'p';
  algorithm
    'p' := 'Modelica.Media.Water.IF97_Utilities.p_props_dT'('d', 'T', 'Modelica.Media.Water.IF97_Utilities.waterBaseProp_dT'('d', 'T', 'phase', 'region'));
  end 'Modelica.Media.Water.IF97_Utilities.p_dT';

  function 'Modelica.Media.Water.IF97_Utilities.cp_props_dT' "Heat capacity at constant pressure, from the properties"
    input Real 'd';
    input Real 'T';
    input 'Modelica.Media.Common.IF97BaseTwoPhase' 'aux';
    output Real 'cp';
  algorithm
    'cp' := 'aux'.'cp';
  end 'Modelica.Media.Water.IF97_Utilities.cp_props_dT';

  function 'Modelica.Media.Water.IF97_Utilities.cp_dT' "Heat capacity at constant pressure"
    input Real 'd';
    input Real 'T';
    input Integer 'phase' = 0;
    input Integer 'region' = 0;
    output Real 'cp';
  algorithm
    'cp' := 'Modelica.Media.Water.IF97_Utilities.cp_props_dT'('d', 'T', 'Modelica.Media.Water.IF97_Utilities.waterBaseProp_dT'('d', 'T', 'phase', 'region'));
  end 'Modelica.Media.Water.IF97_Utilities.cp_dT';

  function 'Modelica.Media.Water.IF97_Utilities.cv_props_dT' "Heat capacity at constant volume, from the properties"
    input Real 'd';
    input Real 'T';
    input 'Modelica.Media.Common.IF97BaseTwoPhase' 'aux';
    output Real 'cv';
  algorithm
    'cv' := 'aux'.'cv';
  end 'Modelica.Media.Water.IF97_Utilities.cv_props_dT';

  function 'Modelica.Media.Water.IF97_Utilities.cv_dT' "Heat capacity at constant volume"
    input Real 'd';
    input Real 'T';
    input Integer 'phase' = 0;
    input Integer 'region' = 0;
    output Real 'cv';
  algorithm
    'cv' := 'Modelica.Media.Water.IF97_Utilities.cv_props_dT'('d', 'T', 'Modelica.Media.Water.IF97_Utilities.waterBaseProp_dT'('d', 'T', 'phase', 'region'));
  end 'Modelica.Media.Water.IF97_Utilities.cv_dT';

  function 'Modelica.Media.Water.IF97_Utilities.p_dT_der'
    input Real 'd';
    input Real 'T';
    input 'Modelica.Media.Common.IF97BaseTwoPhase' 'aux';
    input Real 'd_der';
    input Real 'T_der';
    output Real 'p_der';
  algorithm
    'p_der' := if 'aux'.'region' == 4 then 'aux'.'dpT' * 'T_der' else 'aux'.'pd' * 'd_der' + 'aux'.'pt' * 'T_der';
  end 'Modelica.Media.Water.IF97_Utilities.p_dT_der';

  function 'Modelica.Media.Water.IF97_Utilities.h_dT_der'
    input Real 'd';
    input Real 'T';
    input 'Modelica.Media.Common.IF97BaseTwoPhase' 'aux';
    input Real 'd_der';
    input Real 'T_der';
    output Real 'h_der';
  algorithm
    'h_der' := if 'aux'.'region' == 4 then -'aux'.'T' * 'aux'.'dpT' / 'aux'.'rho' ^ 2 * 'd_der' + ('aux'.'cv' + 'aux'.'dpT' / 'aux'.'rho') * 'T_der' else ('aux'.'pd' - 'aux'.'T' * 'aux'.'pt' / 'aux'.'rho') / 'aux'.'rho' * 'd_der' + ('aux'.'cv' + 'aux'.'pt' / 'aux'.'rho') * 'T_der';
  end 'Modelica.Media.Water.IF97_Utilities.h_dT_der';

  function 'Modelica.Media.Water.IF97_Utilities.isentropicEnthalpy_props' "Enthalpy at a pressure and an entropy, from the properties"
    input Real 'p';
    input Real 's';
    input 'Modelica.Media.Common.IF97BaseTwoPhase' 'aux';
    output Real 'h';
  algorithm
    'h' := 'aux'.'h';
  end 'Modelica.Media.Water.IF97_Utilities.isentropicEnthalpy_props';

  function 'Modelica.Media.Water.IF97_Utilities.isentropicEnthalpy' "Enthalpy at a pressure and an entropy"
    input Real 'p';
    input Real 's';
    input Integer 'phase' = 0;
    input Integer 'region' = 0;
    output Real 'h';
  algorithm
    'h' := 'Modelica.Media.Water.IF97_Utilities.h_ps'('p', 's', 'phase', 'region');
  end 'Modelica.Media.Water.IF97_Utilities.isentropicEnthalpy';


  function 'Modelica.Media.Water.IF97_Utilities.dynamicViscosity' "Dynamic viscosity"
    input Real 'd';
    input Real 'T';
    input Real 'p';
    input Integer 'phase' = 0;
    input Boolean 'checkLimits' = true;
    output Real 'eta';
  algorithm
    'eta' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Transport.visc_dTp'('d', 'T', 'p', 'phase', 'checkLimits');
  end 'Modelica.Media.Water.IF97_Utilities.dynamicViscosity';

  function 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Transport.cond_dTp' "Heat conductivity, industrial equation of IAPWS (1985)"
    input Real 'd';
    input Real 'T';
    input Real 'p';
    input Integer 'phase' = 0;
    input Boolean 'industrialMethod' = true;
    input Boolean 'checkLimits' = true;
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
  end 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Transport.cond_dTp';

  function 'Modelica.Media.Water.IF97_Utilities.thermalConductivity' "Heat conductivity"
    input Real 'd';
    input Real 'T';
    input Real 'p';
    input Integer 'phase' = 0;
    input Boolean 'industrialMethod' = true;
    input Boolean 'checkLimits' = true;
    output Real 'lambda';
  algorithm
    'lambda' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Transport.cond_dTp'('d', 'T', 'p', 'phase', 'industrialMethod', 'checkLimits');
  end 'Modelica.Media.Water.IF97_Utilities.thermalConductivity';

  function 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Transport.surfaceTension' "Surface tension of water, IAPWS release of 1994"
    input Real 'T';
    output Real 'sigma';
    Real 't' = 'T' / 647.096;
  algorithm
    'sigma' := 235.8e-3 * (1.0 - 't') ^ 1.256 * (1.0 - 0.625 * (1.0 - 't'));
  end 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Transport.surfaceTension';

  function 'Modelica.Media.Water.IF97_Utilities.surfaceTension' "Surface tension of water"
    input Real 'T';
    output Real 'sigma';
  algorithm
    'sigma' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Transport.surfaceTension'('T');
  end 'Modelica.Media.Water.IF97_Utilities.surfaceTension';
end 'Library';
