//! base 0.1.0
// Coefficients of filters under changes of frequency, derived from the substitutions that their descriptions name.
package 'Library'
  function 'Modelica.Blocks.Continuous.Internal.Filter.coefficients.highPass' "Normalized coefficients under s -> w/s"
    input Real 'cr_in'[:];
    input Real 'c0_in'[:];
    input Real 'c1_in'[size('c0_in', 1)];
    input Real 'f_cut';
    output Real 'cr'[size('cr_in', 1)];
    output Real 'c0'[size('c0_in', 1)];
    output Real 'c1'[size('c0_in', 1)];
    Real 'w' = 6.283185307179586 * 'f_cut';
  algorithm
    'cr' := 'w' ./ 'cr_in';
    'c0' := 'w' * 'w' ./ 'c0_in';
    'c1' := 'w' * 'c1_in' ./ 'c0_in';
  end 'Modelica.Blocks.Continuous.Internal.Filter.coefficients.highPass';

  function 'Modelica.Blocks.Continuous.Internal.Filter.Utilities.bandPassAlpha' "Splits the quartic of s^2 + a*s + b under s -> (s + 1/s)/w: alpha^2 + 1/alpha^2 is the root of a quadratic"
    input Real 'a';
    input Real 'b';
    input Real 'w';
    output Real 'alpha';
    Real 's';
  algorithm
    assert('b' >= 0.25 * 'a' * 'a', "Band pass transformation cannot be computed", AssertionLevel.error);
    's' := 0.5 * ('b' * 'w' ^ 2 + sqrt('b' ^ 2 * 'w' ^ 4 + 4.0 * (4.0 + 2.0 * 'b' * 'w' ^ 2 - 'a' ^ 2 * 'w' ^ 2)));
    'alpha' := sqrt(2.0 / ('s' + sqrt('s' * 's' - 4.0)));
  end 'Modelica.Blocks.Continuous.Internal.Filter.Utilities.bandPassAlpha';

  function 'Modelica.Blocks.Continuous.Internal.Filter.coefficients.bandPass' "Normalized coefficients under s -> (s/w + w/s)/band"
    input Real 'cr_in'[:];
    input Real 'c0_in'[:];
    input Real 'c1_in'[size('c0_in', 1)];
    input Real 'f_min';
    input Real 'f_max';
    output Real 'cr'[0];
    output Real 'c0'[size('cr_in', 1) + 2 * size('c0_in', 1)];
    output Real 'c1'[size('cr_in', 1) + 2 * size('c0_in', 1)];
    output Real 'cn';
    Real 'f0' = sqrt('f_min' * 'f_max');
    Real 'w' = 6.283185307179586 * 'f0';
    Real 'band' = ('f_max' - 'f_min') / 'f0';
    Real 'alpha';
    Real 'c';
    Integer 'n' = size('cr_in', 1);
  algorithm
    assert('f_min' > 0.0 and 'f_min' < 'f_max', "Band frequencies f_min and f_max are wrong", AssertionLevel.error);
    for 'i' in 1:'n' loop
      'c0'['i'] := 'w' * 'w';
      'c1'['i'] := 'w' * 'band' * 'cr_in'['i'];
    end for;
    for 'i' in 1:size('c0_in', 1) loop
      'alpha' := 'Modelica.Blocks.Continuous.Internal.Filter.Utilities.bandPassAlpha'('c1_in'['i'], 'c0_in'['i'], 'band');
      'c' := 'c1_in'['i'] * 'band' * 'alpha' / (1.0 + 'alpha' ^ 2);
      'c0'['n' + 2 * 'i' - 1] := ('w' / 'alpha') ^ 2;
      'c0'['n' + 2 * 'i'] := ('w' * 'alpha') ^ 2;
      'c1'['n' + 2 * 'i' - 1] := 'w' * 'c' / 'alpha';
      'c1'['n' + 2 * 'i'] := 'w' * 'c' * 'alpha';
    end for;
    'cn' := 'band' * 'w';
  end 'Modelica.Blocks.Continuous.Internal.Filter.coefficients.bandPass';

  function 'Modelica.Blocks.Continuous.Internal.Filter.coefficients.bandStop' "Normalized coefficients under s -> band/(s/w + w/s)"
    input Real 'cr_in'[:];
    input Real 'c0_in'[:];
    input Real 'c1_in'[size('c0_in', 1)];
    input Real 'f_min';
    input Real 'f_max';
    output Real 'cr'[0];
    output Real 'c0'[size('cr_in', 1) + 2 * size('c0_in', 1)];
    output Real 'c1'[size('cr_in', 1) + 2 * size('c0_in', 1)];
    Real 'f0' = sqrt('f_min' * 'f_max');
    Real 'w' = 6.283185307179586 * 'f0';
    Real 'band' = ('f_max' - 'f_min') / 'f0';
    Real 'alpha';
    Real 'c';
    Integer 'n' = size('cr_in', 1);
  algorithm
    assert('f_min' > 0.0 and 'f_min' < 'f_max', "Band frequencies f_min and f_max are wrong", AssertionLevel.error);
    for 'i' in 1:'n' loop
      'c0'['i'] := 'w' * 'w';
      'c1'['i'] := 'w' * 'band' / 'cr_in'['i'];
    end for;
    for 'i' in 1:size('c0_in', 1) loop
      'alpha' := 'Modelica.Blocks.Continuous.Internal.Filter.Utilities.bandPassAlpha'('c1_in'['i'], 'c0_in'['i'], ('band' / 'c0_in'['i']));
      'c' := 'c1_in'['i'] * ('band' / 'c0_in'['i']) * 'alpha' / (1.0 + 'alpha' ^ 2);
      'c0'['n' + 2 * 'i' - 1] := ('w' / 'alpha') ^ 2;
      'c0'['n' + 2 * 'i'] := ('w' * 'alpha') ^ 2;
      'c1'['n' + 2 * 'i' - 1] := 'w' * 'c' / 'alpha';
      'c1'['n' + 2 * 'i'] := 'w' * 'c' * 'alpha';
    end for;
  end 'Modelica.Blocks.Continuous.Internal.Filter.coefficients.bandStop';

  function 'Modelica.Blocks.Continuous.Internal.Filter.Utilities.toHighestPowerOne' "Divides polynomials by their leading coefficients"
    input Real 'den1'[:];
    input Real 'den2'[:, 2];
    output Real 'cr'[size('den1', 1)];
    output Real 'c0'[size('den2', 1)];
    output Real 'c1'[size('den2', 1)];
  algorithm
    'cr' := 1.0 ./ 'den1';
    'c0' := 1.0 ./ 'den2'[:, 1];
    'c1' := 'den2'[:, 2] ./ 'den2'[:, 1];
  end 'Modelica.Blocks.Continuous.Internal.Filter.Utilities.toHighestPowerOne';

  function 'Modelica.Blocks.Continuous.Internal.Filter.Utilities.normalizationFactor' "Frequency where the amplitude of 1/((c1*s + 1)*...*(c2[1]*s^2 + c2[2]*s + 1)*...) is -3 dB, by halving"
    input Real 'c1'[:];
    input Real 'c2'[:, 2];
    output Real 'alpha';
    Real 'low' = 0.0;
    Real 'high' = 1.0;
    Real 'square';
    Boolean 'found' = false;
  algorithm
    // The frequency is doubled until the amplitude is lower, then the interval is halved.
    for 'k' in 1:200 loop
      'alpha' := if 'found' then 0.5 * ('low' + 'high') else 'high';
      'square' := 1.0;
      for 'i' in 1:size('c1', 1) loop
        'square' := 'square' * (1.0 + ('c1'['i'] * 'alpha') ^ 2);
      end for;
      for 'i' in 1:size('c2', 1) loop
        'square' := 'square' * ((1.0 - 'c2'['i', 1] * 'alpha' ^ 2) ^ 2 + ('c2'['i', 2] * 'alpha') ^ 2);
      end for;
      if 'square' > 1.9952623149688795 then
        'found' := true;
        'high' := 'alpha';
      else
        'low' := 'alpha';
        'high' := if 'found' then 'high' else 2.0 * 'high';
      end if;
    end for;
    assert('found', "the amplitude of the filter never falls by 3 dB", AssertionLevel.error);
  end 'Modelica.Blocks.Continuous.Internal.Filter.Utilities.normalizationFactor';
end 'Library';
