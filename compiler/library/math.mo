//! base 0.1.0
// Special functions, random states, linear equations, Fourier transform and files under the names of the Modelica Standard Library.
package 'Library'
  function 'Modelica.Math.Special.Internal.polyEval' "Horner's scheme, lowest power first"
    input Real 'c'[:];
    input Real 'u';
    output Real 'y';
  algorithm
    'y' := 'c'[size('c', 1)];
    for 'j' in 2:size('c', 1) loop
      'y' := 'c'[size('c', 1) - 'j' + 1] + 'u' * 'y';
    end for;
  end 'Modelica.Math.Special.Internal.polyEval';

  function 'Modelica.Math.Special.Internal.erfcUtil' "erfc by a continued fraction for large arguments, by the series of erf for small ones"
    input Real 'z';
    output Real 'y';
    Real 'f';
  algorithm
    if 'z' < 2.0 then
      'y' := 1.0 - 'Modelica.Math.Special.Internal.erfSeries'('z');
    else
      'f' := 'z';
      for 'k' in 1:120 loop
        'f' := 'z' + 0.5 * (121 - 'k') / 'f';
      end for;
      'y' := exp(-'z' * 'z') / (1.7724538509055159 * 'f');
    end if;
  end 'Modelica.Math.Special.Internal.erfcUtil';

  function 'Modelica.Math.Special.Internal.erfSeries' "erf by a series of terms of one sign; best for arguments below 3"
    input Real 'z';
    output Real 'y';
    Real 'term';
  algorithm
    'term' := 2.0 / 1.7724538509055159 * 'z' * exp(-'z' * 'z');
    'y' := 'term';
    for 'k' in 1:80 loop
      'term' := 'term' * 2.0 * 'z' * 'z' / (2 * 'k' + 1);
      'y' := 'y' + 'term';
    end for;
  end 'Modelica.Math.Special.Internal.erfSeries';

  function 'Modelica.Math.Special.erf' "Error function"
    input Real 'u';
    output Real 'y';
  algorithm
    if abs('u') < 2.0 then
      'y' := 'Modelica.Math.Special.Internal.erfSeries'('u');
    elseif abs('u') < 6.0 then
      'y' := sign('u') * (1.0 - 'Modelica.Math.Special.Internal.erfcUtil'(abs('u')));
    else
      'y' := sign('u');
    end if;
    annotation(smoothOrder = 5);
  end 'Modelica.Math.Special.erf';

  function 'Modelica.Math.Special.erfc' "Complement of the error function"
    input Real 'u';
    output Real 'y';
  algorithm
    if 'u' < 2.0 then
      'y' := 1.0 - 'Modelica.Math.Special.erf'('u');
    elseif 'u' < 28.0 then
      'y' := 'Modelica.Math.Special.Internal.erfcUtil'('u');
    else
      'y' := 0.0;
    end if;
    annotation(smoothOrder = 5);
  end 'Modelica.Math.Special.erfc';

  function 'Modelica.Math.Special.Internal.erfInvUtil' "Inverse of erf for 0 < p < 1, q = 1 - p: Winitzki's start, then steps of Halley's method"
    input Real 'p';
    input Real 'q';
    output Real 'y';
    Real 'l';
    Real 'b';
    Real 'e';
  algorithm
    'l' := log('q' * (1.0 + 'p'));
    'b' := 4.330746750799873 + 0.5 * 'l';
    'y' := sqrt(sqrt('b' * 'b' - 'l' / 0.147) - 'b');
    for 'k' in 1:4 loop
      // Small probabilities of the tail are compared, not their complements.
      if 'p' < 0.5 then
        'e' := 'Modelica.Math.Special.Internal.erfSeries'('y') - 'p';
      else
        'e' := 'q' - 'Modelica.Math.Special.Internal.erfcUtil'('y');
      end if;
      'e' := 'e' / (1.1283791670955126 * exp(-'y' * 'y'));
      'y' := 'y' - 'e' / (1.0 + 'y' * 'e');
    end for;
    annotation(smoothOrder = 1);
  end 'Modelica.Math.Special.Internal.erfInvUtil';

  function 'Modelica.Math.Special.erfInv' "Inverse of the error function"
    input Real 'u';
    output Real 'y';
  algorithm
    if 'u' >= 1.0 then
      'y' := 1e60;
    elseif 'u' <= -1.0 then
      'y' := -1e60;
    elseif 'u' == 0.0 then
      'y' := 0.0;
    elseif 'u' < 0.0 then
      'y' := -'Modelica.Math.Special.Internal.erfInvUtil'(-'u', 1.0 + 'u');
    else
      'y' := 'Modelica.Math.Special.Internal.erfInvUtil'('u', 1.0 - 'u');
    end if;
    annotation(smoothOrder = 1);
  end 'Modelica.Math.Special.erfInv';

  function 'Modelica.Math.Special.erfcInv' "Inverse of the complement of the error function"
    input Real 'u';
    output Real 'y';
  algorithm
    assert('u' >= 0.0 and 'u' <= 2.0, "erfcInv needs an argument between 0 and 2", AssertionLevel.error);
    if 'u' == 0.0 then
      'y' := 1e60;
    elseif 'u' == 2.0 then
      'y' := -1e60;
    elseif 'u' == 1.0 then
      'y' := 0.0;
    elseif 'u' > 1.0 then
      'y' := -'Modelica.Math.Special.Internal.erfInvUtil'('u' - 1.0, 2.0 - 'u');
    else
      'y' := 'Modelica.Math.Special.Internal.erfInvUtil'(1.0 - 'u', 'u');
    end if;
    annotation(smoothOrder = 1);
  end 'Modelica.Math.Special.erfcInv';

  function 'Modelica.Math.Special.sinc' "sin(u)/u"
    input Real 'u';
    output Real 'y';
  algorithm
    'y' := if abs('u') > 0.5e-4 then sin('u') / 'u' else 1.0 - 'u' ^ 2 / 6.0 + 'u' ^ 4 / 120.0;
    annotation(Inline = true);
  end 'Modelica.Math.Special.sinc';

  function 'Modelica.Math.Random.Utilities.initialStateWithXorshift64star' "State of any length, filled two numbers at a time"
    input Integer 'localSeed';
    input Integer 'globalSeed';
    input Integer 'nState';
    output Integer 'state'['nState'];
    Integer 'pair'[2];
    Integer 'n' = 2 * div('nState', 2);
    Real 'r';
  algorithm
    'pair' := 'Modelica.Math.Random.Generators.Xorshift64star.initialState'('localSeed', 'globalSeed');
    'state'[1] := 'pair'[1];
    if 'nState' >= 2 then
      'state'[2] := 'pair'[2];
    end if;
    for 'i' in 2:div('nState', 2) loop
      ('r', 'pair') := 'Modelica.Math.Random.Generators.Xorshift64star.random'('pair');
      'state'[2 * 'i' - 1] := 'pair'[1];
      'state'[2 * 'i'] := 'pair'[2];
    end for;
    if 'nState' >= 3 and 'nState' <> 'n' then
      // An odd number: the last one follows from the two before it.
      ('r', 'pair') := 'Modelica.Math.Random.Generators.Xorshift64star.random'({'state'['nState' - 2], 'state'['nState' - 1]});
      'state'['nState'] := 'pair'[1];
    end if;
  end 'Modelica.Math.Random.Utilities.initialStateWithXorshift64star';

  impure function 'Modelica.Math.Random.Utilities.impureRandom'
    input Integer 'id';
    output Real 'y';
  external "C" 'y' = ModelicaRandom_impureRandom_xorshift1024star('id');
  end 'Modelica.Math.Random.Utilities.impureRandom';

  impure function 'Modelica.Math.Random.Utilities.impureRandomInteger' "Uniform between two integers"
    input Integer 'id';
    input Integer 'imin' = 1;
    input Integer 'imax' = 268435456;
    output Integer 'y';
    Real 'r';
  algorithm
    'r' := 'Modelica.Math.Random.Utilities.impureRandom'('id');
    'y' := min('imax', integer('r' * 'imax' + (1.0 - 'r') * 'imin' + 'r'));
  end 'Modelica.Math.Random.Utilities.impureRandomInteger';

  function 'Modelica.Math.Random.Generators.Xorshift128plus.random'
    input Integer 'stateIn'[4];
    output Real 'result';
    output Integer 'stateOut'[4];
  external "C" ModelicaRandom_xorshift128plus('stateIn', 'stateOut', 'result');
  end 'Modelica.Math.Random.Generators.Xorshift128plus.random';

  function 'Modelica.Math.Random.Generators.Xorshift128plus.initialState'
    input Integer 'localSeed';
    input Integer 'globalSeed';
    output Integer 'state'[4];
  algorithm
    'state' := 'Modelica.Math.Random.Utilities.initialStateWithXorshift64star'('localSeed', 'globalSeed', 4);
  end 'Modelica.Math.Random.Generators.Xorshift128plus.initialState';

  function 'Modelica.Math.Random.Generators.Xorshift1024star.random'
    input Integer 'stateIn'[33];
    output Real 'result';
    output Integer 'stateOut'[33];
  external "C" ModelicaRandom_xorshift1024star('stateIn', 'stateOut', 'result');
  end 'Modelica.Math.Random.Generators.Xorshift1024star.random';

  function 'Modelica.Math.Random.Generators.Xorshift1024star.initialState'
    input Integer 'localSeed';
    input Integer 'globalSeed';
    output Integer 'state'[33];
  algorithm
    'state' := 'Modelica.Math.Random.Utilities.initialStateWithXorshift64star'('localSeed', 'globalSeed', 33);
    'state'[33] := 0;
  end 'Modelica.Math.Random.Generators.Xorshift1024star.initialState';

  function 'Modelica.Math.Matrices.solve' "Solution of A*x = b by Gauss elimination with row exchange"
    input Real 'A'[:, size('A', 1)];
    input Real 'b'[size('A', 1)];
    output Real 'x'[size('A', 1)];
    Real 'M'[size('A', 1), size('A', 1)];
    Real 'factor';
    Real 'keep';
    Integer 'best';
    Integer 'n' = size('A', 1);
  algorithm
    'M' := 'A';
    'x' := 'b';
    for 'k' in 1:'n' loop
      'best' := 'k';
      for 'i' in 'k' + 1:'n' loop
        if abs('M'['i', 'k']) > abs('M'['best', 'k']) then
          'best' := 'i';
        end if;
      end for;
      assert(abs('M'['best', 'k']) > 0.0, "the system of linear equations is singular", AssertionLevel.error);
      for 'j' in 1:'n' loop
        'keep' := 'M'['k', 'j'];
        'M'['k', 'j'] := 'M'['best', 'j'];
        'M'['best', 'j'] := 'keep';
      end for;
      'keep' := 'x'['k'];
      'x'['k'] := 'x'['best'];
      'x'['best'] := 'keep';
      for 'i' in 'k' + 1:'n' loop
        'factor' := 'M'['i', 'k'] / 'M'['k', 'k'];
        for 'j' in 'k':'n' loop
          'M'['i', 'j'] := 'M'['i', 'j'] - 'factor' * 'M'['k', 'j'];
        end for;
        'x'['i'] := 'x'['i'] - 'factor' * 'x'['k'];
      end for;
    end for;
    for 'm' in 1:'n' loop
      for 'j' in 'n' - 'm' + 2:'n' loop
        'x'['n' - 'm' + 1] := 'x'['n' - 'm' + 1] - 'M'['n' - 'm' + 1, 'j'] * 'x'['j'];
      end for;
      'x'['n' - 'm' + 1] := 'x'['n' - 'm' + 1] / 'M'['n' - 'm' + 1, 'n' - 'm' + 1];
    end for;
  end 'Modelica.Math.Matrices.solve';

  function 'Modelica.Math.FastFourierTransform.Internal.rawRealFFT' "Amplitudes and phases of the Fourier transform, by its definition; divided, as in the library, by the number of frequencies"
    input Real 'u'[:];
    output Integer 'info';
    output Real 'amplitudes'[div(size('u', 1), 2) + 1];
    output Real 'phases'[div(size('u', 1), 2) + 1];
    Integer 'n' = size('u', 1);
    Real 're';
    Real 'im';
    Real 'angle';
  algorithm
    'info' := if mod('n', 2) == 0 then 0 else 1;
    for 'k' in 1:div('n', 2) + 1 loop
      're' := 0.0;
      'im' := 0.0;
      for 'j' in 1:'n' loop
        // The product is reduced to one turn first, so that the angle is exact.
        'angle' := 6.283185307179586 * mod(('k' - 1) * ('j' - 1), 'n') / 'n';
        're' := 're' + 'u'['j'] * cos('angle');
        'im' := 'im' - 'u'['j'] * sin('angle');
      end for;
      'amplitudes'['k'] := sqrt('re' * 're' + 'im' * 'im') / (div('n', 2) + 1);
      'phases'['k'] := atan2('im', 're');
    end for;
  end 'Modelica.Math.FastFourierTransform.Internal.rawRealFFT';

  impure function 'Modelica.Utilities.Streams.writeRealMatrix'
    input String 'fileName';
    input String 'matrixName';
    input Real 'matrix'[:, :];
    input Boolean 'append' = false;
    input String 'format' = "4";
    output Boolean 'success';
  external "C" 'success' = ModelicaIO_writeRealMatrix('fileName', 'matrixName', 'matrix', size('matrix', 1), size('matrix', 2), 'append', 'format');
  end 'Modelica.Utilities.Streams.writeRealMatrix';

  impure function 'Modelica.Utilities.Files.removeFile'
    input String 'fileName';
  external "C" ModelicaInternal_removeFile('fileName');
  end 'Modelica.Utilities.Files.removeFile';

  function 'Modelica.Utilities.Files.fullPathName' "The name itself: only the operating system could complete it, and messages alone need it"
    input String 'name';
    output String 'fullName';
  algorithm
    'fullName' := 'name';
  end 'Modelica.Utilities.Files.fullPathName';

  function 'Modelica.Math.Distributions.Uniform.density'
    input Real 'u';
    input Real 'u_min' = 0.0;
    input Real 'u_max' = 1.0;
    output Real 'y';
  algorithm
    'y' := if 'u' < 'u_min' or 'u' > 'u_max' then 0.0 else 1.0 / ('u_max' - 'u_min');
  end 'Modelica.Math.Distributions.Uniform.density';

  function 'Modelica.Math.Distributions.Uniform.cumulative'
    input Real 'u';
    input Real 'u_min' = 0.0;
    input Real 'u_max' = 1.0;
    output Real 'y';
  algorithm
    'y' := if 'u' < 'u_min' then 0.0 else if 'u' > 'u_max' then 1.0 else ('u' - 'u_min') / ('u_max' - 'u_min');
  end 'Modelica.Math.Distributions.Uniform.cumulative';

  function 'Modelica.Math.Distributions.Uniform.quantile'
    input Real 'u';
    input Real 'y_min' = 0.0;
    input Real 'y_max' = 1.0;
    output Real 'y';
  algorithm
    'y' := 'u' * ('y_max' - 'y_min') + 'y_min';
  end 'Modelica.Math.Distributions.Uniform.quantile';

  function 'Modelica.Math.Distributions.Normal.density'
    input Real 'u';
    input Real 'mu' = 0.0;
    input Real 'sigma' = 1.0;
    output Real 'y';
  algorithm
    'y' := exp(-('u' - 'mu') ^ 2 / (2.0 * 'sigma' ^ 2)) / (sqrt(6.283185307179586) * 'sigma');
  end 'Modelica.Math.Distributions.Normal.density';

  function 'Modelica.Math.Distributions.Normal.cumulative'
    input Real 'u';
    input Real 'mu' = 0.0;
    input Real 'sigma' = 1.0;
    output Real 'y';
  algorithm
    'y' := 0.5 * (1.0 + 'Modelica.Math.Special.erf'(('u' - 'mu') / ('sigma' * 1.4142135623730951)));
  end 'Modelica.Math.Distributions.Normal.cumulative';

  function 'Modelica.Math.Distributions.Normal.quantile'
    input Real 'u';
    input Real 'mu' = 0.0;
    input Real 'sigma' = 1.0;
    output Real 'y';
  algorithm
    'y' := 'mu' + 'sigma' * 1.4142135623730951 * 'Modelica.Math.Special.erfInv'(2.0 * 'u' - 1.0);
  end 'Modelica.Math.Distributions.Normal.quantile';

  function 'Modelica.Math.Distributions.Weibull.density'
    input Real 'u';
    input Real 'lambda';
    input Real 'k';
    output Real 'y';
  algorithm
    'y' := if 'u' >= 0.0 then 'k' / 'lambda' * ('u' / 'lambda') ^ ('k' - 1.0) * exp(-('u' / 'lambda') ^ 'k') else 0.0;
  end 'Modelica.Math.Distributions.Weibull.density';

  function 'Modelica.Math.Distributions.Weibull.cumulative'
    input Real 'u';
    input Real 'lambda';
    input Real 'k';
    output Real 'y';
  algorithm
    'y' := if 'u' >= 0.0 then 1.0 - exp(-('u' / 'lambda') ^ 'k') else 0.0;
  end 'Modelica.Math.Distributions.Weibull.cumulative';

  function 'Modelica.Math.Distributions.Weibull.quantile'
    input Real 'u';
    input Real 'lambda';
    input Real 'k';
    output Real 'y';
  algorithm
    'y' := 'lambda' * (-log(1.0 - 'u')) ^ (1.0 / 'k');
  end 'Modelica.Math.Distributions.Weibull.quantile';

  function 'Modelica.Math.Polynomials.evaluate_der'
    input Real 'p'[:];
    input Real 'u';
    input Real 'du';
    output Real 'dy';
  algorithm
    'dy' := 'du' * 'Modelica.Math.Polynomials.derivativeValue'('p', 'u');
  end 'Modelica.Math.Polynomials.evaluate_der';

  function 'Modelica.Math.Polynomials.evaluateWithRange' "Polynomial that goes on as a straight line outside of a range"
    input Real 'p'[:];
    input Real 'uMin';
    input Real 'uMax';
    input Real 'u';
    output Real 'y';
  algorithm
    if 'u' < 'uMin' then
      'y' := 'Modelica.Math.Polynomials.evaluate'('p', 'uMin') - ('uMin' - 'u') * 'Modelica.Math.Polynomials.derivativeValue'('p', 'uMin');
    elseif 'u' > 'uMax' then
      'y' := 'Modelica.Math.Polynomials.evaluate'('p', 'uMax') + ('u' - 'uMax') * 'Modelica.Math.Polynomials.derivativeValue'('p', 'uMax');
    else
      'y' := 'Modelica.Math.Polynomials.evaluate'('p', 'u');
    end if;
    annotation(derivative(zeroDerivative = 'p', zeroDerivative = 'uMin', zeroDerivative = 'uMax') = 'Modelica.Math.Polynomials.evaluateWithRange_der');
  end 'Modelica.Math.Polynomials.evaluateWithRange';

  function 'Modelica.Math.Polynomials.evaluateWithRange_der'
    input Real 'p'[:];
    input Real 'uMin';
    input Real 'uMax';
    input Real 'u';
    input Real 'du';
    output Real 'dy';
  algorithm
    'dy' := 'du' * 'Modelica.Math.Polynomials.derivativeValue'('p', max('uMin', min('uMax', 'u')));
  end 'Modelica.Math.Polynomials.evaluateWithRange_der';

  function 'Modelica.Math.Polynomials.derivative' "Coefficients of the derivative, highest power first"
    input Real 'p1'[:];
    output Real 'p2'[size('p1', 1) - 1];
  algorithm
    for 'j' in 1:size('p1', 1) - 1 loop
      'p2'['j'] := 'p1'['j'] * (size('p1', 1) - 'j');
    end for;
  end 'Modelica.Math.Polynomials.derivative';

  function 'Modelica.Math.Polynomials.derivativeValue' "Slope of a polynomial"
    input Real 'p'[:];
    input Real 'u';
    output Real 'y';
  algorithm
    'y' := 0.0;
    for 'j' in 1:size('p', 1) - 1 loop
      'y' := 'p'['j'] * (size('p', 1) - 'j') + 'u' * 'y';
    end for;
    annotation(derivative(zeroDerivative = 'p') = 'Modelica.Math.Polynomials.derivativeValue_der');
  end 'Modelica.Math.Polynomials.derivativeValue';

  function 'Modelica.Math.Polynomials.derivativeValue_der'
    input Real 'p'[:];
    input Real 'u';
    input Real 'du';
    output Real 'dy';
  algorithm
    'dy' := 'du' * 'Modelica.Math.Polynomials.secondDerivativeValue'('p', 'u');
  end 'Modelica.Math.Polynomials.derivativeValue_der';

  function 'Modelica.Math.Polynomials.secondDerivativeValue'
    input Real 'p'[:];
    input Real 'u';
    output Real 'y';
  algorithm
    'y' := 0.0;
    for 'j' in 1:size('p', 1) - 2 loop
      'y' := 'p'['j'] * (size('p', 1) - 'j') * (size('p', 1) - 'j' - 1) + 'u' * 'y';
    end for;
  end 'Modelica.Math.Polynomials.secondDerivativeValue';

  function 'Modelica.Math.Polynomials.integral' "Coefficients of the integral that is zero at zero"
    input Real 'p1'[:];
    output Real 'p2'[size('p1', 1) + 1];
  algorithm
    for 'j' in 1:size('p1', 1) loop
      'p2'['j'] := 'p1'['j'] / (size('p1', 1) + 1 - 'j');
    end for;
    'p2'[size('p1', 1) + 1] := 0.0;
  end 'Modelica.Math.Polynomials.integral';

  function 'Modelica.Math.Polynomials.integralValue' "Integral of a polynomial between two limits"
    input Real 'p'[:];
    input Real 'u_high';
    input Real 'u_low' = 0.0;
    output Real 'integral';
    Real 'low';
  algorithm
    'integral' := 0.0;
    'low' := 0.0;
    for 'j' in 1:size('p', 1) loop
      'integral' := 'u_high' * ('p'['j'] / (size('p', 1) - 'j' + 1) + 'integral');
      'low' := 'u_low' * ('p'['j'] / (size('p', 1) - 'j' + 1) + 'low');
    end for;
    'integral' := 'integral' - 'low';
    annotation(derivative(zeroDerivative = 'p') = 'Modelica.Math.Polynomials.integralValue_der');
  end 'Modelica.Math.Polynomials.integralValue';

  function 'Modelica.Math.Polynomials.integralValue_der'
    input Real 'p'[:];
    input Real 'u_high';
    input Real 'u_low' = 0.0;
    input Real 'du_high';
    input Real 'du_low' = 0.0;
    output Real 'dintegral';
  algorithm
    'dintegral' := 'Modelica.Math.Polynomials.evaluate'('p', 'u_high') * 'du_high' - 'Modelica.Math.Polynomials.evaluate'('p', 'u_low') * 'du_low';
  end 'Modelica.Math.Polynomials.integralValue_der';

  function 'Modelica.Math.Distributions.TruncatedNormal.density'
    input Real 'u';
    input Real 'u_min' = 0.0;
    input Real 'u_max' = 1.0;
    input Real 'mu' = 0.5 * ('u_max' + 'u_min');
    input Real 'sigma' = ('u_max' - 'u_min') / 6.0;
    output Real 'y';
  algorithm
    'y' := if 'u' >= 'u_min' and 'u' <= 'u_max' then 'Modelica.Math.Distributions.Normal.density'('u', 'mu', 'sigma') / ('Modelica.Math.Distributions.Normal.cumulative'('u_max', 'mu', 'sigma') - 'Modelica.Math.Distributions.Normal.cumulative'('u_min', 'mu', 'sigma')) else 0.0;
  end 'Modelica.Math.Distributions.TruncatedNormal.density';

  function 'Modelica.Math.Distributions.TruncatedNormal.cumulative'
    input Real 'u';
    input Real 'u_min' = 0.0;
    input Real 'u_max' = 1.0;
    input Real 'mu' = 0.5 * ('u_max' + 'u_min');
    input Real 'sigma' = ('u_max' - 'u_min') / 6.0;
    output Real 'y';
  algorithm
    'y' := if 'u' <= 'u_min' then 0.0 else if 'u' >= 'u_max' then 1.0 else ('Modelica.Math.Distributions.Normal.cumulative'('u', 'mu', 'sigma') - 'Modelica.Math.Distributions.Normal.cumulative'('u_min', 'mu', 'sigma')) / ('Modelica.Math.Distributions.Normal.cumulative'('u_max', 'mu', 'sigma') - 'Modelica.Math.Distributions.Normal.cumulative'('u_min', 'mu', 'sigma'));
  end 'Modelica.Math.Distributions.TruncatedNormal.cumulative';

  function 'Modelica.Math.Distributions.TruncatedNormal.quantile' "Quantile of the whole distribution between the limits"
    input Real 'u';
    input Real 'y_min' = 0.0;
    input Real 'y_max' = 1.0;
    input Real 'mu' = 0.5 * ('y_max' + 'y_min');
    input Real 'sigma' = ('y_max' - 'y_min') / 6.0;
    output Real 'y';
  algorithm
    'y' := max('y_min', min('y_max', 'Modelica.Math.Distributions.Normal.quantile'('Modelica.Math.Distributions.Normal.cumulative'('y_min', 'mu', 'sigma') + 'u' * ('Modelica.Math.Distributions.Normal.cumulative'('y_max', 'mu', 'sigma') - 'Modelica.Math.Distributions.Normal.cumulative'('y_min', 'mu', 'sigma')), 'mu', 'sigma')));
  end 'Modelica.Math.Distributions.TruncatedNormal.quantile';

  function 'Modelica.Math.Distributions.TruncatedWeibull.density'
    input Real 'u';
    input Real 'u_min' = 0.0;
    input Real 'u_max' = 1.0;
    input Real 'lambda' = 1.0;
    input Real 'k';
    output Real 'y';
  algorithm
    'y' := if 'u' >= 'u_min' and 'u' <= 'u_max' then 'Modelica.Math.Distributions.Weibull.density'('u', 'lambda', 'k') / ('Modelica.Math.Distributions.Weibull.cumulative'('u_max', 'lambda', 'k') - 'Modelica.Math.Distributions.Weibull.cumulative'('u_min', 'lambda', 'k')) else 0.0;
  end 'Modelica.Math.Distributions.TruncatedWeibull.density';

  function 'Modelica.Math.Distributions.TruncatedWeibull.cumulative'
    input Real 'u';
    input Real 'u_min' = 0.0;
    input Real 'u_max' = 1.0;
    input Real 'lambda' = 1.0;
    input Real 'k';
    output Real 'y';
  algorithm
    'y' := if 'u' <= 'u_min' then 0.0 else if 'u' >= 'u_max' then 1.0 else ('Modelica.Math.Distributions.Weibull.cumulative'('u', 'lambda', 'k') - 'Modelica.Math.Distributions.Weibull.cumulative'('u_min', 'lambda', 'k')) / ('Modelica.Math.Distributions.Weibull.cumulative'('u_max', 'lambda', 'k') - 'Modelica.Math.Distributions.Weibull.cumulative'('u_min', 'lambda', 'k'));
  end 'Modelica.Math.Distributions.TruncatedWeibull.cumulative';

  function 'Modelica.Math.Distributions.TruncatedWeibull.quantile' "Quantile of the whole distribution between the limits"
    input Real 'u';
    input Real 'y_min' = 0.0;
    input Real 'y_max' = 1.0;
    input Real 'lambda' = 1.0;
    input Real 'k';
    output Real 'y';
  algorithm
    'y' := max('y_min', min('y_max', 'Modelica.Math.Distributions.Weibull.quantile'('Modelica.Math.Distributions.Weibull.cumulative'('y_min', 'lambda', 'k') + 'u' * ('Modelica.Math.Distributions.Weibull.cumulative'('y_max', 'lambda', 'k') - 'Modelica.Math.Distributions.Weibull.cumulative'('y_min', 'lambda', 'k')), 'lambda', 'k')));
  end 'Modelica.Math.Distributions.TruncatedWeibull.quantile';

  function 'Modelica.Math.Matrices.inv' "Inverse, column by column"
    input Real 'A'[:, size('A', 1)];
    output Real 'invA'[size('A', 1), size('A', 2)];
  algorithm
    for 'j' in 1:size('A', 1) loop
      'invA'[:, 'j'] := 'Modelica.Math.Matrices.solve'('A', {if 'i' == 'j' then 1.0 else 0.0 for 'i' in 1:size('A', 1)});
    end for;
  end 'Modelica.Math.Matrices.inv';

  function 'Modelica.Math.Matrices.solve2' "Solution of A*X = B, column by column"
    input Real 'A'[:, size('A', 1)];
    input Real 'B'[size('A', 1), :];
    output Real 'X'[size('B', 1), size('B', 2)];
  algorithm
    for 'j' in 1:size('B', 2) loop
      'X'[:, 'j'] := 'Modelica.Math.Matrices.solve'('A', 'B'[:, 'j']);
    end for;
  end 'Modelica.Math.Matrices.solve2';

  function 'Modelica.Math.Matrices.leastSquares' "Smallest |A*x - b| for a matrix of full column rank"
    input Real 'A'[:, :];
    input Real 'b'[size('A', 1)];
    input Real 'rcond' = 1.0e-13;
    output Real 'x'[size('A', 2)];
    Real 'all'[max(size('A', 1), size('A', 2))];
    Integer 'info';
    Integer 'rank';
  algorithm
    ('all', 'info', 'rank') := 'Modelica.Math.Matrices.LAPACK.dgelsy_vec'('A', 'b', 'rcond');
    assert('info' == 0, "the columns of a least-squares problem depend on each other", AssertionLevel.error);
    'x' := 'all'[1:size('A', 2)];
  end 'Modelica.Math.Matrices.leastSquares';

  function 'Modelica.Math.Polynomials.fitting' "Polynomial of least squares, highest power first"
    input Real 'u'[:];
    input Real 'y'[size('u', 1)];
    input Integer 'n';
    output Real 'p'['n' + 1];
  algorithm
    'p' := 'Modelica.Math.Matrices.leastSquares'({{'u'['i'] ^ ('n' + 1 - 'j') for 'j' in 1:'n' + 1} for 'i' in 1:size('u', 1)}, 'y');
  end 'Modelica.Math.Polynomials.fitting';

  function 'Modelica.Math.Nonlinear.Interfaces.partialScalarFunction' "What a scalar function looks like"
    input Real 'u';
    output Real 'y';
  algorithm
    'y' := 'u';
  end 'Modelica.Math.Nonlinear.Interfaces.partialScalarFunction';

  function 'Modelica.Math.Nonlinear.solveOneNonlinearEquation' "Root between two bounds, by the rule of false position with the weight of an end that stays halved, kept inside by halving"
    input 'Modelica.Math.Nonlinear.Interfaces.partialScalarFunction' 'f';
    input Real 'u_min';
    input Real 'u_max';
    input Real 'tolerance' = 2.220446049250313e-14;
    output Real 'u';
    Real 'a' = 'u_min';
    Real 'b' = 'u_max';
    Real 'fa';
    Real 'fb';
    Real 'fu';
    Real 'wa';
    Real 'wb';
    Real 'width';
  algorithm
    'fa' := 'f'('a');
    'fb' := 'f'('b');
    assert('fa' <= 0.0 and 'fb' >= 0.0 or 'fa' >= 0.0 and 'fb' <= 0.0, "the bounds of solveOneNonlinearEquation do not bracket a root", AssertionLevel.error);
    'wa' := 'fa';
    'wb' := 'fb';
    'u' := if 'fa' == 0.0 then 'a' else 'b';
    while 'fa' <> 0.0 and 'fb' <> 0.0 and abs('b' - 'a') > 4.440892098500626e-16 * abs('b') + 2.0 * 'tolerance' loop
      'width' := abs('b' - 'a');
      for 'k' in 1:3 loop
        // Every third step halves the interval, so that its width falls for every function.
        'u' := if 'k' == 3 then 0.5 * ('a' + 'b') else 'a' - 'wa' * ('b' - 'a') / ('wb' - 'wa');
        'fu' := 'f'('u');
        if 'fu' > 0.0 and 'fb' > 0.0 or 'fu' < 0.0 and 'fb' < 0.0 then
          'b' := 'u';
          'fb' := 'fu';
          'wb' := 'fu';
          'wa' := 0.5 * 'wa';
        else
          'a' := 'u';
          'fa' := 'fu';
          'wa' := 'fu';
          'wb' := 0.5 * 'wb';
        end if;
        if 'fu' == 0.0 then
          break;
        end if;
      end for;
      if 'fu' == 0.0 or abs('b' - 'a') >= 'width' then
        break;
      end if;
    end while;
  end 'Modelica.Math.Nonlinear.solveOneNonlinearEquation';
end 'Library';
