//! base 0.1.0
// Regularised functions of Modelica.Fluid.Utilities and wall friction of pipes of Modelica.Fluid.Pipes, by their interfaces and formulas.
package 'Library'
  function 'Modelica.Fluid.Utilities.regRoot' "Square root with sign and a finite slope at zero"
    input Real 'x';
    input Real 'delta' = 0.01;
    output Real 'y';
  algorithm
    'y' := 'x' / ('x' * 'x' + 'delta' * 'delta') ^ 0.25;
    annotation(Inline = true, smoothOrder = 5);
  end 'Modelica.Fluid.Utilities.regRoot';

  function 'Modelica.Fluid.Utilities.regRoot_der'
    input Real 'x';
    input Real 'delta' = 0.01;
    input Real 'dx';
    output Real 'dy';
  algorithm
    'dy' := 0.5 * 'dx' * ('x' * 'x' + 2.0 * 'delta' * 'delta') / ('x' * 'x' + 'delta' * 'delta') ^ 1.25;
    annotation(Inline = true);
  end 'Modelica.Fluid.Utilities.regRoot_der';

  function 'Modelica.Fluid.Utilities.regSquare' "Square with sign and a slope at zero"
    input Real 'x';
    input Real 'delta' = 0.01;
    output Real 'y';
  algorithm
    'y' := 'x' * sqrt('x' * 'x' + 'delta' * 'delta');
    annotation(Inline = true, smoothOrder = 5);
  end 'Modelica.Fluid.Utilities.regSquare';

  function 'Modelica.Fluid.Utilities.regPow' "Power with sign and a slope at zero"
    input Real 'x';
    input Real 'a';
    input Real 'delta' = 0.01;
    output Real 'y';
  algorithm
    'y' := 'x' * ('x' * 'x' + 'delta' * 'delta') ^ (('a' - 1.0) / 2.0);
    annotation(Inline = true, smoothOrder = 5);
  end 'Modelica.Fluid.Utilities.regPow';

  function 'Modelica.Fluid.Utilities.regStep' "Step made smooth by a cubic"
    input Real 'x';
    input Real 'y1';
    input Real 'y2';
    input Real 'x_small' = 1e-5;
    output Real 'y';
  algorithm
    'y' := smooth(1, if 'x' > 'x_small' then 'y1' else if 'x' < -'x_small' then 'y2' else if 'x_small' > 0.0 then 'x' / 'x_small' * (('x' / 'x_small') ^ 2 - 3.0) * ('y2' - 'y1') / 4.0 + ('y1' + 'y2') / 2.0 else ('y1' + 'y2') / 2.0);
    annotation(Inline = true);
  end 'Modelica.Fluid.Utilities.regStep';

  function 'Modelica.Fluid.Utilities.slopeAtZero' "Slope at zero of two cubics that meet there with equal curvature; x2 < 0 < x1"
    input Real 'x1';
    input Real 'y1';
    input Real 'y1d';
    input Real 'x2';
    input Real 'y2';
    input Real 'y2d';
    output Real 'slope';
    Real 'w' = 'x2' / 'x1';
  algorithm
    'slope' := ((3.0 * 'y2' - 'x2' * 'y2d') / 'w' - (3.0 * 'y1' - 'x1' * 'y1d') * 'w') / (2.0 * 'x1' * (1.0 - 'w'));
  end 'Modelica.Fluid.Utilities.slopeAtZero';

  function 'Modelica.Fluid.Utilities.regRoot2.regRoot2_utility' "Two cubics instead of sqrt(k1*x) and -sqrt(-k2*x) near zero; k1 >= k2"
    input Real 'x';
    input Real 'x1';
    input Real 'k1';
    input Real 'k2';
    input Boolean 'use_yd0';
    input Real 'yd0';
    output Real 'y';
    Real 'x2';
    Real 'y1';
    Real 'y2';
    Real 'y1d';
    Real 'y2d';
    Real 'slope';
  algorithm
    'y' := 0.0;
    if 'k1' > 0.0 then
      'x2' := if 'k2' > 0.0 then -'x1' * 'k2' / 'k1' else -'x1';
      if 'x' <= 'x2' then
        'y' := -sqrt('k2') * sqrt(abs('x'));
      else
        'y1' := sqrt('k1') * sqrt('x1');
        'y2' := -sqrt('k2') * sqrt(abs('x2'));
        'y1d' := sqrt('k1') / sqrt('x1') / 2.0;
        'y2d' := sqrt('k2') / sqrt(abs('x2')) / 2.0;
        'slope' := if 'use_yd0' then 'yd0' else 'Modelica.Fluid.Utilities.slopeAtZero'('x1', 'y1', 'y1d', 'x2', 'y2', 'y2d');
        // A steeper cubic would not be monotonic.
        'slope' := min('slope', 0.9 * min(sqrt(8.75 * 'k1' / 'x1'), sqrt(8.75 * 'k2' / abs('x2'))));
        if 'x' >= 0.0 then
          'y' := 'y1' * 'Modelica.Fluid.Utilities.evaluatePoly3_derivativeAtZero'('x' / 'x1', 1.0, 1.0, 'y1d' * 'x1' / 'y1', 'slope' * 'x1' / 'y1');
        else
          'y' := 'y1' * 'Modelica.Fluid.Utilities.evaluatePoly3_derivativeAtZero'('x' / 'x1', 'x2' / 'x1', 'y2' / 'y1', 'y2d' * 'x1' / 'y1', 'slope' * 'x1' / 'y1');
        end if;
      end if;
    end if;
    annotation(smoothOrder = 2);
  end 'Modelica.Fluid.Utilities.regRoot2.regRoot2_utility';

  function 'Modelica.Fluid.Utilities.regRoot2' "sqrt(k1*x) or -sqrt(-k2*x) with a finite, continuous slope"
    input Real 'x';
    input Real 'x_small' = 0.01;
    input Real 'k1' = 1.0;
    input Real 'k2' = 1.0;
    input Boolean 'use_yd0' = false;
    input Real 'yd0' = 1.0;
    output Real 'y';
  algorithm
    if 'x' >= 'x_small' then
      'y' := sqrt('k1') * sqrt('x');
    elseif 'x' <= -'x_small' then
      'y' := -sqrt('k2') * sqrt(abs('x'));
    elseif 'k1' >= 'k2' then
      'y' := 'Modelica.Fluid.Utilities.regRoot2.regRoot2_utility'('x', 'x_small', 'k1', 'k2', 'use_yd0', 'yd0');
    else
      'y' := -'Modelica.Fluid.Utilities.regRoot2.regRoot2_utility'(-'x', 'x_small', 'k2', 'k1', 'use_yd0', 'yd0');
    end if;
    annotation(smoothOrder = 2);
  end 'Modelica.Fluid.Utilities.regRoot2';

  function 'Modelica.Fluid.Utilities.regSquare2.regSquare2_utility' "Two cubics instead of k1*x^2 and -k2*x^2 near zero; k1 >= k2"
    input Real 'x';
    input Real 'x1';
    input Real 'k1';
    input Real 'k2';
    input Boolean 'use_yd0' = false;
    input Real 'yd0' = 1.0;
    output Real 'y';
    Real 'slope';
  algorithm
    if 'x' <= -'x1' then
      'y' := -'k2' * 'x' ^ 2;
    else
      'slope' := if 'use_yd0' then 'yd0' else 'Modelica.Fluid.Utilities.slopeAtZero'('x1', 'k1' * 'x1' ^ 2, 2.0 * 'k1' * 'x1', -'x1', -'k2' * 'x1' ^ 2, 2.0 * 'k2' * 'x1');
      // A steeper cubic would not be monotonic.
      'slope' := min('slope', 0.9 * sqrt(5.0) * 'x1' * min('k1', 'k2'));
      if 'x' >= 0.0 then
        'y' := 'Modelica.Fluid.Utilities.evaluatePoly3_derivativeAtZero'('x', 'x1', 'k1' * 'x1' ^ 2, 2.0 * 'k1' * 'x1', 'slope');
      else
        'y' := 'Modelica.Fluid.Utilities.evaluatePoly3_derivativeAtZero'('x', -'x1', -'k2' * 'x1' ^ 2, 2.0 * 'k2' * 'x1', 'slope');
      end if;
    end if;
    annotation(smoothOrder = 2);
  end 'Modelica.Fluid.Utilities.regSquare2.regSquare2_utility';

  function 'Modelica.Fluid.Utilities.regSquare2' "k1*x^2 or -k2*x^2 with a continuous slope that is not zero"
    input Real 'x';
    input Real 'x_small' = 0.01;
    input Real 'k1' = 1.0;
    input Real 'k2' = 1.0;
    input Boolean 'use_yd0' = false;
    input Real 'yd0' = 1.0;
    output Real 'y';
  algorithm
    if 'x' >= 'x_small' then
      'y' := 'k1' * 'x' ^ 2;
    elseif 'x' <= -'x_small' then
      'y' := -'k2' * 'x' ^ 2;
    elseif 'k1' >= 'k2' then
      'y' := 'Modelica.Fluid.Utilities.regSquare2.regSquare2_utility'('x', 'x_small', 'k1', 'k2', 'use_yd0', 'yd0');
    else
      'y' := -'Modelica.Fluid.Utilities.regSquare2.regSquare2_utility'(-'x', 'x_small', 'k2', 'k1', 'use_yd0', 'yd0');
    end if;
    annotation(smoothOrder = 2);
  end 'Modelica.Fluid.Utilities.regSquare2';

  function 'Modelica.Fluid.Utilities.cubicHermite' "Cubic through two points with given slopes"
    input Real 'x';
    input Real 'x1';
    input Real 'x2';
    input Real 'y1';
    input Real 'y2';
    input Real 'y1d';
    input Real 'y2d';
    output Real 'y';
    Real 'h' = 'x2' - 'x1';
    Real 't';
  algorithm
    if abs('h') > 0.0 then
      't' := ('x' - 'x1') / 'h';
      'y' := 'y1' + 't' ^ 2 * (3.0 - 2.0 * 't') * ('y2' - 'y1') + 'h' * 't' * ('t' - 1.0) * (('t' - 1.0) * 'y1d' + 't' * 'y2d');
    else
      'y' := ('y1' + 'y2') / 2.0;
    end if;
    annotation(smoothOrder = 3);
  end 'Modelica.Fluid.Utilities.cubicHermite';

  function 'Modelica.Fluid.Utilities.cubicHermite_withDerivative' "Cubic through two points with given slopes, and its slope"
    input Real 'x';
    input Real 'x1';
    input Real 'x2';
    input Real 'y1';
    input Real 'y2';
    input Real 'y1d';
    input Real 'y2d';
    output Real 'y';
    output Real 'dy_dx';
    Real 'h' = 'x2' - 'x1';
    Real 't';
  algorithm
    if abs('h') > 0.0 then
      't' := ('x' - 'x1') / 'h';
      'y' := 'y1' + 't' ^ 2 * (3.0 - 2.0 * 't') * ('y2' - 'y1') + 'h' * 't' * ('t' - 1.0) * (('t' - 1.0) * 'y1d' + 't' * 'y2d');
      'dy_dx' := 6.0 * 't' * (1.0 - 't') * ('y2' - 'y1') / 'h' + ('t' - 1.0) * (3.0 * 't' - 1.0) * 'y1d' + 't' * (3.0 * 't' - 2.0) * 'y2d';
    else
      'y' := ('y1' + 'y2') / 2.0;
      'dy_dx' := sign('y2' - 'y1') * 1e60;
    end if;
    annotation(smoothOrder = 3);
  end 'Modelica.Fluid.Utilities.cubicHermite_withDerivative';

  function 'Modelica.Fluid.Utilities.regFun3' "Monotonic C1 curve between two points with given slopes: a cubic, or two cubics with a line between (Gasparo and Morandi 1991)"
    input Real 'x';
    input Real 'x0';
    input Real 'x1';
    input Real 'y0';
    input Real 'y1';
    input Real 'y0d';
    input Real 'y1d';
    output Real 'y';
    output Real 'c' "Slope of the line, or of the cubic in the middle";
    Real 'h' = 'x1' - 'x0';
    Real 's' = ('y1' - 'y0') / ('x1' - 'x0') "Slope of the secant";
    Real 'bend' = 'y0d' + 'y1d' - 2.0 * ('y1' - 'y0') / ('x1' - 'x0');
    Real 'mu' "From the left end to the inflection";
    Real 'eta' "From the inflection to the right end";
    Real 'omega' "Slope at the inflection";
    Real 'flat';
    Real 'least';
    Real 'theta';
    Real 'rho';
    Real 'xi1';
    Real 'xi2';
    Boolean 'one' = true "One cubic is enough";
  algorithm
    assert('x0' < 'x1', "regFun3: the points are not in order (x0 = " + String('x0') + ", x1 = " + String('x1') + ")", AssertionLevel.error);
    assert('y0d' * 'y1d' >= 0.0, "regFun3: slopes of opposite sign have no monotonic curve (y0d = " + String('y0d') + ", y1d = " + String('y1d') + ")", AssertionLevel.error);
    'c' := 0.0;
    if abs('s') <= 0.0 then
      'y' := 'y0' + 's' * ('x' - 'x0');
    else
      if abs('bend') >= 2.220446049250313e-14 then
        'mu' := 'h' * (2.0 * 'y0d' + 'y1d' - 3.0 * 's') / (3.0 * 'bend');
        'eta' := 'h' - 'mu';
        'omega' := 3.0 * 'bend' * ('mu' / 'h') ^ 2 + 2.0 * (3.0 * 's' - 2.0 * 'y0d' - 'y1d') * 'mu' / 'h' + 'y0d';
        'flat' := 0.25 * sign('s') * min(abs('omega'), abs('s'));
        if abs('y0d' - 'y1d') <= 2.220446049250313e-14 then
          'least' := 'y0d';
          'one' := 'y1' > 'y0' + 'y0d' * 'h';
        else
          'least' := (6.0 * 's' * ('y1d' + 'y0d' - 1.5 * 's') - 'y1d' * 'y0d' - 'y1d' ^ 2 - 'y0d' ^ 2) / (3.0 * 'bend');
          'one' := false;
        end if;
        // The cubic turns round, or is nearly level somewhere.
        'one' := 'one' or not ('mu' > 0.0 and 'eta' < 'h' and 's' * 'omega' <= 0.0 or abs('flat') < abs('least') and 'least' * 's' >= 0.0 or abs('flat') < abs(0.1 * 's'));
      end if;
      if 'one' then
        'y' := 'y0' + ('x' - 'x0') * ('y0d' + ('x' - 'x0') / 'h' * (3.0 * 's' - 2.0 * 'y0d' - 'y1d' + ('x' - 'x0') * 'bend' / 'h'));
        'c' := 1.5 * 's' - 0.25 * ('y0d' + 'y1d');
      else
        'c' := 'flat';
        if abs('c') < abs('least') and 'least' * 's' >= 0.0 then
          'c' := 'least';
        end if;
        if abs('c') < abs(0.1 * 's') then
          'c' := 0.1 * 's';
        end if;
        'theta' := ('y0d' * 'mu' + 'y1d' * 'eta') / 'h';
        if abs('theta' - 'c') < 1e-6 then
          'c' := (1.0 - 1e-6) * 'theta';
        end if;
        'rho' := 3.0 * ('s' - 'c') / ('theta' - 'c');
        'xi1' := 'x0' + 'rho' * 'mu';
        'xi2' := 'x1' - 'rho' * 'eta';
        if 'x' < 'xi1' then
          'y' := 'y0' + 'c' * ('x' - 'x0') + ('y0d' - 'c') / max(('rho' * 'mu') ^ 2, 2.220446049250313e-14) / 3.0 * (('x' - 'xi1') ^ 3 - ('x0' - 'xi1') ^ 3);
        elseif 'x' < 'xi2' then
          'y' := 'y0' + 'c' * ('x' - 'x0') - ('y0d' - 'c') / max(('rho' * 'mu') ^ 2, 2.220446049250313e-14) / 3.0 * ('x0' - 'xi1') ^ 3;
        else
          'y' := 'y1' + 'c' * ('x' - 'x1') + ('y1d' - 'c') / max(('rho' * 'eta') ^ 2, 2.220446049250313e-14) / 3.0 * (('x' - 'xi2') ^ 3 - ('x1' - 'xi2') ^ 3);
        end if;
      end if;
    end if;
    annotation(smoothOrder = 1);
  end 'Modelica.Fluid.Utilities.regFun3';

  function 'Modelica.Fluid.Fittings.BaseClasses.lossConstant_D_zeta' "k of dp = k*m_flow^2/d for a loss factor that belongs to a diameter"
    input Real 'D';
    input Real 'zeta';
    output Real 'k';
  algorithm
    'k' := 8.0 * 'zeta' / (9.869604401089358 * 'D' ^ 4);
    annotation(smoothOrder = 5);
  end 'Modelica.Fluid.Fittings.BaseClasses.lossConstant_D_zeta';

  function 'Modelica.Fluid.Pipes.BaseClasses.WallFriction.Detailed.pressureLoss_m_flow.interpolateInRegion2' "Friction between laminar and turbulent flow: cubic in the logarithms of Re and lambda*Re^2"
    input Real 'Re';
    input Real 'Re1';
    input Real 'Re2';
    input Real 'Delta';
    output Real 'lambda2';
    Real 'a' = 'Delta' / 3.7 + 5.74 / 'Re2' ^ 0.9;
    Real 'x1' = log10('Re1');
    Real 'x2' = log10('Re2');
    Real 'y1' = log10(64.0 * 'Re1');
    Real 'y2' = log10(0.25 * ('Re2' / log10('a')) ^ 2);
    Real 'slope2' = 2.0 + 4.0 * (0.5 / log(10.0)) * 5.74 * 0.9 / ('Re2' ^ 0.9 * 'a' * log10('a'));
    Real 'd' = 'x2' - 'x1';
    Real 'm' = ('y2' - 'y1') / 'd';
    Real 'c2' = (3.0 * 'm' - 2.0 - 'slope2') / 'd';
    Real 'c3' = (1.0 + 'slope2' - 2.0 * 'm') / ('d' * 'd');
    Real 'dx';
  algorithm
    'dx' := log10('Re' / 'Re1');
    'lambda2' := 64.0 * 'Re1' * ('Re' / 'Re1') ^ (1.0 + 'dx' * ('c2' + 'dx' * 'c3'));
    annotation(smoothOrder = 1);
  end 'Modelica.Fluid.Pipes.BaseClasses.WallFriction.Detailed.pressureLoss_m_flow.interpolateInRegion2';

  function 'Modelica.Fluid.Pipes.BaseClasses.WallFriction.Detailed.massFlowRate_dp.interpolateInRegion2' "Inverse of the friction between laminar and turbulent flow"
    input Real 'Re_turbulent';
    input Real 'Re1';
    input Real 'Re2';
    input Real 'Delta';
    input Real 'lambda2';
    output Real 'Re';
    Real 'x1' = log10(64.0 * 'Re1');
    Real 'y1' = log10('Re1');
    Real 'L2' = 0.25 * ('Re2' / log10('Delta' / 3.7 + 5.74 / 'Re2' ^ 0.9)) ^ 2;
    Real 'a' = 2.51 / sqrt('L2') + 0.27 * 'Delta';
    Real 'b' = -2.0 * sqrt('L2') * log10('a');
    Real 'x2' = log10('L2');
    Real 'y2' = log10('b');
    Real 'slope2' = 0.5 + 2.51 / log(10.0) / ('b' * 'a');
    Real 'd' = 'x2' - 'x1';
    Real 'm' = ('y2' - 'y1') / 'd';
    Real 'c2' = (3.0 * 'm' - 2.0 - 'slope2') / 'd';
    Real 'c3' = (1.0 + 'slope2' - 2.0 * 'm') / ('d' * 'd');
    Real 'dx';
  algorithm
    'dx' := log10('lambda2' / (64.0 * 'Re1'));
    'Re' := 'Re1' * ('lambda2' / (64.0 * 'Re1')) ^ (1.0 + 'dx' * ('c2' + 'dx' * 'c3'));
    annotation(smoothOrder = 1);
  end 'Modelica.Fluid.Pipes.BaseClasses.WallFriction.Detailed.massFlowRate_dp.interpolateInRegion2';

  function 'Modelica.Fluid.Pipes.BaseClasses.WallFriction.Detailed.Internal.m_flow_of_dp_fric' "Mass flow of a friction pressure: Hagen-Poiseuille, Colebrook-White, a cubic in logarithms between"
    input Real 'dp_fric';
    input Real 'rho_a';
    input Real 'rho_b';
    input Real 'mu_a';
    input Real 'mu_b';
    input Real 'length';
    input Real 'diameter';
    input Real 'crossArea';
    input Real 'Re1';
    input Real 'Re2';
    input Real 'Delta';
    output Real 'm_flow';
    output Real 'dm_flow_ddp_fric';
    Real 'mu' = if 'dp_fric' >= 0.0 then 'mu_a' else 'mu_b';
    Real 'rho' = if 'dp_fric' >= 0.0 then 'rho_a' else 'rho_b';
    Real 'k' "lambda2 over the pressure";
    Real 'lambda2';
    Real 'Re';
    Real 'dRe';
    Real 'L2';
    Real 'a';
    Real 'b';
    Real 'y';
    Real 'slope';
  algorithm
    'k' := 2.0 * 'diameter' ^ 3 * 'rho' / ('length' * 'mu' * 'mu');
    'lambda2' := abs('dp_fric') * 'k';
    'Re' := 'lambda2' / 64.0;
    'dRe' := 'k' / 64.0;
    if 'Re' > 'Re1' then
      'a' := 2.51 / sqrt('lambda2') + 0.27 * 'Delta';
      'Re' := -2.0 * sqrt('lambda2') * log10('a');
      'dRe' := (2.51 / 'a' - log('a') * sqrt('lambda2')) / (log(10.0) * abs('dp_fric'));
      if 'Re' < 'Re2' then
        'L2' := 0.25 * ('Re2' / log10('Delta' / 3.7 + 5.74 / 'Re2' ^ 0.9)) ^ 2;
        'a' := 2.51 / sqrt('L2') + 0.27 * 'Delta';
        'b' := -2.0 * sqrt('L2') * log10('a');
        ('y', 'slope') := 'Modelica.Fluid.Utilities.cubicHermite_withDerivative'(log10('lambda2'), log10(64.0 * 'Re1'), log10('L2'), log10('Re1'), log10('b'), 1.0, 0.5 + 2.51 / log(10.0) / ('b' * 'a'));
        'Re' := 10.0 ^ 'y';
        'dRe' := 'Re' / abs('dp_fric') * 'slope';
      end if;
    end if;
    'm_flow' := 'crossArea' / 'diameter' * 'mu' * (if 'dp_fric' >= 0.0 then 'Re' else -'Re');
    'dm_flow_ddp_fric' := 'crossArea' / 'diameter' * 'mu' * 'dRe';
    annotation(smoothOrder = 1);
  end 'Modelica.Fluid.Pipes.BaseClasses.WallFriction.Detailed.Internal.m_flow_of_dp_fric';

  function 'Modelica.Fluid.Pipes.BaseClasses.WallFriction.Detailed.Internal.dp_fric_of_m_flow' "Friction pressure of a mass flow: Hagen-Poiseuille, Swamee-Jain, a cubic in logarithms between"
    input Real 'm_flow';
    input Real 'rho_a';
    input Real 'rho_b';
    input Real 'mu_a';
    input Real 'mu_b';
    input Real 'length';
    input Real 'diameter';
    input Real 'crossArea';
    input Real 'Re1';
    input Real 'Re2';
    input Real 'Delta';
    output Real 'dp_fric';
    output Real 'ddp_fric_dm_flow';
    Real 'mu' = if 'm_flow' >= 0.0 then 'mu_a' else 'mu_b';
    Real 'rho' = if 'm_flow' >= 0.0 then 'rho_a' else 'rho_b';
    Real 'k' "Re over the mass flow";
    Real 'Re';
    Real 'lambda2';
    Real 'slope';
    Real 'a';
    Real 'y';
    Real 'd';
  algorithm
    'k' := 'diameter' / ('crossArea' * 'mu');
    'Re' := 'k' * abs('m_flow');
    if 'Re' <= 'Re1' then
      'lambda2' := 64.0 * 'Re';
      'd' := 64.0 * 'k';
    elseif 'Re' >= 'Re2' then
      'a' := 'Delta' / 3.7 + 5.74 / 'Re' ^ 0.9;
      'lambda2' := 0.25 * ('Re' / log10('a')) ^ 2;
      'd' := 0.5 * 'k' * 'Re' * log(10.0) ^ 2 * (1.0 / log('a') ^ 2 + 5.74 * 0.9 / (log('a') ^ 3 * 'Re' ^ 0.9 * 'a'));
    else
      'a' := 'Delta' / 3.7 + 5.74 / 'Re2' ^ 0.9;
      ('y', 'slope') := 'Modelica.Fluid.Utilities.cubicHermite_withDerivative'(log10('Re'), log10('Re1'), log10('Re2'), log10(64.0 * 'Re1'), log10(0.25 * ('Re2' / log10('a')) ^ 2), 1.0, 2.0 + 2.0 * 5.74 * 0.9 / (log('a') * 'Re2' ^ 0.9 * 'a'));
      'lambda2' := 10.0 ^ 'y';
      'd' := 'lambda2' / abs('m_flow') * 'slope';
    end if;
    'dp_fric' := 'length' * 'mu' * 'mu' / (2.0 * 'rho' * 'diameter' ^ 3) * (if 'm_flow' >= 0.0 then 'lambda2' else -'lambda2');
    'ddp_fric_dm_flow' := 'length' * 'mu' * 'mu' / (2.0 * 'rho' * 'diameter' ^ 3) * 'd';
    annotation(smoothOrder = 1);
  end 'Modelica.Fluid.Pipes.BaseClasses.WallFriction.Detailed.Internal.dp_fric_of_m_flow';

  function 'Modelica.Fluid.Pipes.BaseClasses.WallFriction.LaminarAndQuadraticTurbulent.Internal.m_flow_of_dp_fric' "Mass flow of a friction pressure: linear, square root, a cubic between"
    input Real 'dp_fric';
    input Real 'rho_a';
    input Real 'rho_b';
    input Real 'mu_a';
    input Real 'mu_b';
    input Real 'length';
    input Real 'diameter';
    input Real 'crossArea';
    input Real 'Re1';
    input Real 'Re2';
    input Real 'Delta';
    output Real 'm_flow';
    output Real 'dm_flow_ddp_fric';
    Real 'mu' = if 'dp_fric' >= 0.0 then 'mu_a' else 'mu_b';
    Real 'rho' = if 'dp_fric' >= 0.0 then 'rho_a' else 'rho_b';
    Real 'zeta' = 'length' / 'diameter' / (2.0 * log10(3.7 / 'Delta')) ^ 2;
    Real 'k_inv' "m_flow^2 = rho * k_inv * dp in turbulent flow";
    Real 'k0' "dp = k0 * mu / rho * m_flow in laminar flow";
    Real 'flow' "Mass flow of Re = 1";
    Real 'turbulent';
    Real 'laminar';
    Real 'slope';
  algorithm
    'k_inv' := 2.0 * 'crossArea' ^ 2 / 'zeta';
    'k0' := 32.0 * 'length' / ('crossArea' * 'diameter' ^ 2);
    'flow' := 'mu' * 'crossArea' / 'diameter';
    'turbulent' := sign('dp_fric') * ('flow' * 'Re2') ^ 2 / ('k_inv' * 'rho');
    'laminar' := sign('dp_fric') * 'k0' * 'mu' / 'rho' * 'flow' * 'Re1';
    'slope' := 'rho' / ('k0' * 'mu');
    if abs('dp_fric') > abs('turbulent') then
      'm_flow' := sign('dp_fric') * sqrt('rho' * 'k_inv' * abs('dp_fric'));
      'dm_flow_ddp_fric' := 0.5 * 'rho' * 'k_inv' * ('rho' * 'k_inv' * abs('dp_fric')) ^ (-0.5);
    elseif abs('dp_fric') < abs('laminar') then
      'm_flow' := 'slope' * 'dp_fric';
      'dm_flow_ddp_fric' := 'slope';
    else
      ('m_flow', 'dm_flow_ddp_fric') := 'Modelica.Fluid.Utilities.cubicHermite_withDerivative'('dp_fric', 'laminar', 'turbulent', 'slope' * 'laminar', sign('turbulent') * sqrt('rho' * 'k_inv' * abs('turbulent')), 'slope', if abs('turbulent') > 0.0 then 0.5 * 'rho' * 'k_inv' * ('rho' * 'k_inv' * abs('turbulent')) ^ (-0.5) else 1e60);
    end if;
    annotation(smoothOrder = 1);
  end 'Modelica.Fluid.Pipes.BaseClasses.WallFriction.LaminarAndQuadraticTurbulent.Internal.m_flow_of_dp_fric';

  function 'Modelica.Fluid.Pipes.BaseClasses.WallFriction.LaminarAndQuadraticTurbulent.Internal.dp_fric_of_m_flow' "Friction pressure of a mass flow: linear, quadratic, a cubic between"
    input Real 'm_flow';
    input Real 'rho_a';
    input Real 'rho_b';
    input Real 'mu_a';
    input Real 'mu_b';
    input Real 'length';
    input Real 'diameter';
    input Real 'crossArea';
    input Real 'Re1';
    input Real 'Re2';
    input Real 'Delta';
    output Real 'dp_fric';
    output Real 'ddp_fric_dm_flow';
    Real 'mu' = if 'm_flow' >= 0.0 then 'mu_a' else 'mu_b';
    Real 'rho' = if 'm_flow' >= 0.0 then 'rho_a' else 'rho_b';
    Real 'zeta' = 'length' / 'diameter' / (2.0 * log10(3.7 / 'Delta')) ^ 2;
    Real 'k';
    Real 'flow' "Mass flow of Re = 1";
    Real 'turbulent';
    Real 'laminar';
    Real 'slope';
  algorithm
    'k' := 'zeta' / (2.0 * 'crossArea' ^ 2);
    'flow' := 'mu' * 'crossArea' / 'diameter';
    'turbulent' := sign('m_flow') * 'flow' * 'Re2';
    'laminar' := sign('m_flow') * 'flow' * 'Re1';
    'slope' := 32.0 * 'length' / ('crossArea' * 'diameter' ^ 2) * 'mu' / 'rho';
    if abs('m_flow') > abs('turbulent') then
      'dp_fric' := 'k' / 'rho' * 'm_flow' * abs('m_flow');
      'ddp_fric_dm_flow' := 2.0 * 'k' / 'rho' * abs('m_flow');
    elseif abs('m_flow') < abs('laminar') then
      'dp_fric' := 'slope' * 'm_flow';
      'ddp_fric_dm_flow' := 'slope';
    else
      ('dp_fric', 'ddp_fric_dm_flow') := 'Modelica.Fluid.Utilities.cubicHermite_withDerivative'('m_flow', 'laminar', 'turbulent', 'slope' * 'laminar', 'k' / 'rho' * 'turbulent' * abs('turbulent'), 'slope', 2.0 * 'k' / 'rho' * abs('turbulent'));
    end if;
    annotation(smoothOrder = 1);
  end 'Modelica.Fluid.Pipes.BaseClasses.WallFriction.LaminarAndQuadraticTurbulent.Internal.dp_fric_of_m_flow';
end 'Library';
