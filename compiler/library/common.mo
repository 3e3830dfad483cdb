//! base 0.1.0
// Small functions of the Modelica Standard Library by their interfaces and formulas, for files whose exporter has
// inlined them in equations and left their definitions out although function bodies still call them.
package 'Library'
  function 'Modelica.Math.Vectors.length' "Euclidean length"
    input Real 'v'[:];
    output Real 'result';
  algorithm
    'result' := sqrt('v' * 'v');
    annotation(Inline = true);
  end 'Modelica.Math.Vectors.length';

  function 'Modelica.Math.Vectors.normalize' "Vector of length 1; short vectors are divided by eps instead"
    input Real 'v'[:];
    input Real 'eps' = 2.220446049250313e-14;
    output Real 'result'[size('v', 1)];
  algorithm
    'result' := smooth(0, if sqrt('v' * 'v') >= 'eps' then 'v' / sqrt('v' * 'v') else 'v' / 'eps');
    annotation(Inline = true);
  end 'Modelica.Math.Vectors.normalize';

  function 'Modelica.Math.Vectors.normalizeWithAssert' "Vector of length 1; the zero vector is an error"
    input Real 'v'[:];
    output Real 'result'[size('v', 1)];
  algorithm
    assert(sqrt('v' * 'v') > 0.0, "the zero vector has no direction", AssertionLevel.error);
    'result' := 'v' / sqrt('v' * 'v');
    annotation(Inline = true);
  end 'Modelica.Math.Vectors.normalizeWithAssert';

  function 'Modelica.Math.Vectors.reverse' "Elements from last to first"
    input Real 'v'[:];
    output Real 'result'[size('v', 1)];
  algorithm
    'result' := {'v'[size('v', 1) - 'i' + 1] for 'i' in 1:size('v', 1)};
  end 'Modelica.Math.Vectors.reverse';

  function 'Modelica.Math.Polynomials.evaluate' "Horner's scheme, highest power first"
    input Real 'p'[:];
    input Real 'u';
    output Real 'y';
  algorithm
    'y' := 'p'[1];
    for 'j' in 2:size('p', 1) loop
      'y' := 'p'['j'] + 'u' * 'y';
    end for;
  end 'Modelica.Math.Polynomials.evaluate';

  function 'Modelica.Math.BooleanVectors.allTrue'
    input Boolean 'b'[:];
    output Boolean 'result';
  algorithm
    'result' := true;
    for 'i' in 1:size('b', 1) loop
      'result' := 'result' and 'b'['i'];
    end for;
  end 'Modelica.Math.BooleanVectors.allTrue';

  function 'Modelica.Math.BooleanVectors.anyTrue'
    input Boolean 'b'[:];
    output Boolean 'result';
  algorithm
    'result' := false;
    for 'i' in 1:size('b', 1) loop
      'result' := 'result' or 'b'['i'];
    end for;
  end 'Modelica.Math.BooleanVectors.anyTrue';

  function 'Modelica.Math.BooleanVectors.countTrue'
    input Boolean 'b'[:];
    output Integer 'n';
  algorithm
    'n' := 0;
    for 'i' in 1:size('b', 1) loop
      'n' := if 'b'['i'] then 'n' + 1 else 'n';
    end for;
  end 'Modelica.Math.BooleanVectors.countTrue';

  function 'Modelica.Math.BooleanVectors.oneTrue'
    input Boolean 'b'[:];
    output Boolean 'result';
  algorithm
    'result' := 'Modelica.Math.BooleanVectors.countTrue'('b') == 1;
  end 'Modelica.Math.BooleanVectors.oneTrue';

  function 'Modelica.Math.BooleanVectors.firstTrueIndex'
    input Boolean 'b'[:];
    output Integer 'index';
  algorithm
    'index' := 0;
    for 'i' in 1:size('b', 1) loop
      if 'b'['i'] and 'index' == 0 then
        'index' := 'i';
      end if;
    end for;
  end 'Modelica.Math.BooleanVectors.firstTrueIndex';

  function 'Modelica.Math.Random.Generators.Xorshift64star.random'
    input Integer 'stateIn'[2];
    output Real 'result';
    output Integer 'stateOut'[2];
  external "C" ModelicaRandom_xorshift64star('stateIn', 'stateOut', 'result');
  end 'Modelica.Math.Random.Generators.Xorshift64star.random';

  function 'Modelica.Math.Random.Generators.Xorshift64star.initialState' "Seeds, mixed by ten draws; both zero would stay zero"
    input Integer 'localSeed';
    input Integer 'globalSeed';
    output Integer 'state'[2];
    Real 'r';
  algorithm
    'state' := {if 'localSeed' == 0 and 'globalSeed' == 0 then 126247697 else 'localSeed', 'globalSeed'};
    for 'i' in 1:10 loop
      ('r', 'state') := 'Modelica.Math.Random.Generators.Xorshift64star.random'('state');
    end for;
  end 'Modelica.Math.Random.Generators.Xorshift64star.initialState';

  impure function 'Modelica.Math.Random.Utilities.initializeImpureRandom.setInternalState'
    input Integer 'rngState'[:];
    input Integer 'id';
  external "C" ModelicaRandom_setInternalState_xorshift1024star('rngState', size('rngState', 1), 'id');
  end 'Modelica.Math.Random.Utilities.initializeImpureRandom.setInternalState';

  function 'Modelica.Electrical.Polyphase.Functions.symmetricOrientation' "Angles of the phases; an even number is two shifted halves"
    input Integer 'm';
    output Real 'orientation'['m'];
  algorithm
    if mod('m', 2) == 0 then
      if 'm' == 2 then
        'orientation'[1] := 0.0;
        'orientation'[2] := 1.5707963267948966;
      else
        'orientation'[1:div('m', 2)] := 'Modelica.Electrical.Polyphase.Functions.symmetricOrientation'(div('m', 2));
        'orientation'[div('m', 2) + 1:'m'] := 'Modelica.Electrical.Polyphase.Functions.symmetricOrientation'(div('m', 2)) - fill(3.141592653589793 / 'm', div('m', 2));
      end if;
    else
      'orientation' := {('k' - 1) * 2.0 * 3.141592653589793 / 'm' for 'k' in 1:'m'};
    end if;
  end 'Modelica.Electrical.Polyphase.Functions.symmetricOrientation';

  function 'Modelica.Blocks.Continuous.Internal.Filter.coefficients.lowPass' "Scales normalized coefficients to the cut-off frequency"
    input Real 'cr_in'[:];
    input Real 'c0_in'[:];
    input Real 'c1_in'[size('c0_in', 1)];
    input Real 'f_cut';
    output Real 'cr'[size('cr_in', 1)];
    output Real 'c0'[size('c0_in', 1)];
    output Real 'c1'[size('c0_in', 1)];
    Real 'w' = 6.283185307179586 * 'f_cut';
  algorithm
    'cr' := 'w' * 'cr_in';
    'c1' := 'w' * 'c1_in';
    'c0' := 'w' * 'w' * 'c0_in';
  end 'Modelica.Blocks.Continuous.Internal.Filter.coefficients.lowPass';

  function 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.planarRotation' "Rotation by an angle about a unit vector"
    input Real 'e'[3];
    input Real 'angle';
    output Real 'T'[3, 3];
  algorithm
    'T' := outerProduct('e', 'e') + (identity(3) - outerProduct('e', 'e')) * cos('angle') - skew('e') * sin('angle');
    annotation(Inline = true);
  end 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.planarRotation';

  function 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.resolve1'
    input Real 'T'[3, 3];
    input Real 'v2'[3];
    output Real 'v1'[3];
  algorithm
    'v1' := transpose('T') * 'v2';
    annotation(Inline = true);
  end 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.resolve1';

  function 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.resolve2'
    input Real 'T'[3, 3];
    input Real 'v1'[3];
    output Real 'v2'[3];
  algorithm
    'v2' := 'T' * 'v1';
    annotation(Inline = true);
  end 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.resolve2';

  function 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.absoluteRotation'
    input Real 'T1'[3, 3];
    input Real 'T_rel'[3, 3];
    output Real 'T2'[3, 3];
  algorithm
    'T2' := 'T_rel' * 'T1';
    annotation(Inline = true);
  end 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.absoluteRotation';

  function 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.relativeRotation'
    input Real 'T1'[3, 3];
    input Real 'T2'[3, 3];
    output Real 'T_rel'[3, 3];
  algorithm
    'T_rel' := 'T2' * transpose('T1');
    annotation(Inline = true);
  end 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.relativeRotation';

  function 'Modelica.Mechanics.MultiBody.Frames.planarRotationAngle' "Angle about e that turns the coordinates v1 into v2"
    input Real 'e'[3];
    input Real 'v1'[3];
    input Real 'v2'[3];
    output Real 'angle';
  algorithm
    'angle' := atan2(-cross('e', 'v1') * 'v2', 'v1' * 'v2' - ('e' * 'v1') * ('e' * 'v2'));
    annotation(Inline = true);
  end 'Modelica.Mechanics.MultiBody.Frames.planarRotationAngle';

  function 'Modelica.Fluid.Utilities.evaluatePoly3_derivativeAtZero' "Cubic through the origin with a slope there, and value and slope at x1"
    input Real 'x';
    input Real 'x1';
    input Real 'y1';
    input Real 'y1d';
    input Real 'y0d';
    output Real 'y';
    Real 'a1' = 'x1' * 'y0d';
    Real 'a2' = 3.0 * 'y1' - 'x1' * 'y1d' - 2.0 * 'a1';
    Real 'a3' = 'y1' - 'a2' - 'a1';
    Real 's' = 'x' / 'x1';
  algorithm
    'y' := 's' * ('a1' + 's' * ('a2' + 's' * 'a3'));
    annotation(smoothOrder = 3);
  end 'Modelica.Fluid.Utilities.evaluatePoly3_derivativeAtZero';

  function 'Complex.\'constructor\'.fromReal'
    input Real 're';
    input Real 'im' = 0.0;
    output 'Complex' 'result';
  algorithm
    'result' := 'Complex'('re', 'im');
    annotation(Inline = true);
  end 'Complex.\'constructor\'.fromReal';

  function 'Complex.\'+\''
    input 'Complex' 'c1';
    input 'Complex' 'c2';
    output 'Complex' 'c3';
  algorithm
    'c3' := 'Complex'('c1'.'re' + 'c2'.'re', 'c1'.'im' + 'c2'.'im');
    annotation(Inline = true);
  end 'Complex.\'+\'';

  function 'Complex.\'-\'.negate'
    input 'Complex' 'c1';
    output 'Complex' 'c2';
  algorithm
    'c2' := 'Complex'(-'c1'.'re', -'c1'.'im');
    annotation(Inline = true);
  end 'Complex.\'-\'.negate';

  function 'Complex.\'-\'.subtract'
    input 'Complex' 'c1';
    input 'Complex' 'c2';
    output 'Complex' 'c3';
  algorithm
    'c3' := 'Complex'('c1'.'re' - 'c2'.'re', 'c1'.'im' - 'c2'.'im');
    annotation(Inline = true);
  end 'Complex.\'-\'.subtract';

  function 'Complex.\'*\'.multiply'
    input 'Complex' 'c1';
    input 'Complex' 'c2';
    output 'Complex' 'c3';
  algorithm
    'c3' := 'Complex'('c1'.'re' * 'c2'.'re' - 'c1'.'im' * 'c2'.'im', 'c1'.'re' * 'c2'.'im' + 'c1'.'im' * 'c2'.'re');
    annotation(Inline = true);
  end 'Complex.\'*\'.multiply';

  function 'Complex.\'*\'.scalarProduct'
    input 'Complex' 'c1'[:];
    input 'Complex' 'c2'[size('c1', 1)];
    output 'Complex' 'c3';
  algorithm
    'c3' := 'Complex'(sum('c1'['i'].'re' * 'c2'['i'].'re' - 'c1'['i'].'im' * 'c2'['i'].'im' for 'i' in 1:size('c1', 1)), sum('c1'['i'].'re' * 'c2'['i'].'im' + 'c1'['i'].'im' * 'c2'['i'].'re' for 'i' in 1:size('c1', 1)));
  end 'Complex.\'*\'.scalarProduct';

  function 'Complex.\'/\''
    input 'Complex' 'c1';
    input 'Complex' 'c2';
    output 'Complex' 'c3';
    Real 'n' = 'c2'.'re' ^ 2 + 'c2'.'im' ^ 2;
  algorithm
    'c3' := 'Complex'(('c1'.'re' * 'c2'.'re' + 'c1'.'im' * 'c2'.'im') / 'n', ('c1'.'im' * 'c2'.'re' - 'c1'.'re' * 'c2'.'im') / 'n');
    annotation(Inline = true);
  end 'Complex.\'/\'';

  function 'Complex.\'^\''
    input 'Complex' 'c1';
    input 'Complex' 'c2';
    output 'Complex' 'c3';
    Real 'l' = 0.5 * log('c1'.'re' ^ 2 + 'c1'.'im' ^ 2);
    Real 'phi' = atan2('c1'.'im', 'c1'.'re');
    Real 'r' = exp('l' * 'c2'.'re' - 'phi' * 'c2'.'im');
    Real 'a' = 'l' * 'c2'.'im' + 'phi' * 'c2'.'re';
  algorithm
    'c3' := 'Complex'('r' * cos('a'), 'r' * sin('a'));
  end 'Complex.\'^\'';

  function 'Complex.\'==\''
    input 'Complex' 'c1';
    input 'Complex' 'c2';
    output Boolean 'result';
  algorithm
    'result' := 'c1'.'re' == 'c2'.'re' and 'c1'.'im' == 'c2'.'im';
  end 'Complex.\'==\'';

  function 'Complex.\'0\''
    output 'Complex' 'result';
  algorithm
    'result' := 'Complex'(0.0, 0.0);
  end 'Complex.\'0\'';

  function 'Modelica.ComplexMath.abs2' "Square of the absolute value"
    input 'Complex' 'c';
    output Real 'result';
  algorithm
    'result' := 'c'.'re' ^ 2 + 'c'.'im' ^ 2;
    annotation(Inline = true);
  end 'Modelica.ComplexMath.abs2';

  function 'Modelica.ComplexMath.sin'
    input 'Complex' 'c1';
    output 'Complex' 'c2';
  algorithm
    'c2' := 'Complex'(sin('c1'.'re') * cosh('c1'.'im'), cos('c1'.'re') * sinh('c1'.'im'));
  end 'Modelica.ComplexMath.sin';

  function 'Modelica.ComplexMath.cos'
    input 'Complex' 'c1';
    output 'Complex' 'c2';
  algorithm
    'c2' := 'Complex'(cos('c1'.'re') * cosh('c1'.'im'), -sin('c1'.'re') * sinh('c1'.'im'));
  end 'Modelica.ComplexMath.cos';

  function 'Modelica.ComplexMath.product'
    input 'Complex' 'v'[:];
    output 'Complex' 'result';
  algorithm
    'result' := 'Complex'(1.0, 0.0);
    for 'i' in 1:size('v', 1) loop
      'result' := 'Complex'('result'.'re' * 'v'['i'].'re' - 'result'.'im' * 'v'['i'].'im', 'result'.'re' * 'v'['i'].'im' + 'result'.'im' * 'v'['i'].'re');
    end for;
  end 'Modelica.ComplexMath.product';

  function 'Modelica.ComplexMath.abs'
    input 'Complex' 'c';
    output Real 'result';
  algorithm
    'result' := sqrt('c'.'re' ^ 2 + 'c'.'im' ^ 2);
    annotation(Inline = true);
  end 'Modelica.ComplexMath.abs';

  function 'Modelica.ComplexMath.arg'
    input 'Complex' 'c';
    input Real 'phi0' = 0.0;
    output Real 'phi';
    Real 'w' = atan2('c'.'im', 'c'.'re');
  algorithm
    'phi' := if 'phi0' == 0.0 then 'w' else 'w' + 6.283185307179586 * integer((3.141592653589793 + 'phi0' - 'w') / 6.283185307179586);
  end 'Modelica.ComplexMath.arg';

  function 'Modelica.ComplexMath.conj'
    input 'Complex' 'c1';
    output 'Complex' 'c2';
  algorithm
    'c2' := 'Complex'('c1'.'re', -'c1'.'im');
    annotation(Inline = true);
  end 'Modelica.ComplexMath.conj';

  function 'Modelica.ComplexMath.real'
    input 'Complex' 'c';
    output Real 'r';
  algorithm
    'r' := 'c'.'re';
    annotation(Inline = true);
  end 'Modelica.ComplexMath.real';

  function 'Modelica.ComplexMath.imag'
    input 'Complex' 'c';
    output Real 'r';
  algorithm
    'r' := 'c'.'im';
    annotation(Inline = true);
  end 'Modelica.ComplexMath.imag';

  function 'Modelica.Units.Conversions.to_deg'
    input Real 'radian';
    output Real 'degree';
  algorithm
    'degree' := 180.0 / 3.141592653589793 * 'radian';
    annotation(Inline = true);
  end 'Modelica.Units.Conversions.to_deg';

  function 'Modelica.Units.Conversions.from_deg'
    input Real 'degree';
    output Real 'radian';
  algorithm
    'radian' := 3.141592653589793 / 180.0 * 'degree';
    annotation(Inline = true);
  end 'Modelica.Units.Conversions.from_deg';

  function 'Modelica.Units.Conversions.to_degC'
    input Real 'Kelvin';
    output Real 'Celsius';
  algorithm
    'Celsius' := 'Kelvin' - 273.15;
    annotation(Inline = true);
  end 'Modelica.Units.Conversions.to_degC';

  function 'Modelica.Units.Conversions.from_degC'
    input Real 'Celsius';
    output Real 'Kelvin';
  algorithm
    'Kelvin' := 'Celsius' + 273.15;
    annotation(Inline = true);
  end 'Modelica.Units.Conversions.from_degC';

  function 'Modelica.Units.Conversions.to_rpm'
    input Real 'rs';
    output Real 'rpm';
  algorithm
    'rpm' := 30.0 / 3.141592653589793 * 'rs';
    annotation(Inline = true);
  end 'Modelica.Units.Conversions.to_rpm';

  function 'Modelica.Units.Conversions.from_rpm'
    input Real 'rpm';
    output Real 'rs';
  algorithm
    'rs' := 3.141592653589793 / 30.0 * 'rpm';
    annotation(Inline = true);
  end 'Modelica.Units.Conversions.from_rpm';

  function 'Modelica.Units.Conversions.to_bar'
    input Real 'Pa';
    output Real 'bar';
  algorithm
    'bar' := 'Pa' / 1e5;
    annotation(Inline = true);
  end 'Modelica.Units.Conversions.to_bar';

  function 'Modelica.Units.Conversions.from_bar'
    input Real 'bar';
    output Real 'Pa';
  algorithm
    'Pa' := 1e5 * 'bar';
    annotation(Inline = true);
  end 'Modelica.Units.Conversions.from_bar';

  function 'Modelica.Math.sin' "As an argument of functions"
    input Real 'u';
    output Real 'y';
  algorithm
    'y' := sin('u');
    annotation(Inline = true);
  end 'Modelica.Math.sin';

  function 'Modelica.Math.cos' "As an argument of functions"
    input Real 'u';
    output Real 'y';
  algorithm
    'y' := cos('u');
    annotation(Inline = true);
  end 'Modelica.Math.cos';

  function 'Modelica.Math.tan' "As an argument of functions"
    input Real 'u';
    output Real 'y';
  algorithm
    'y' := tan('u');
    annotation(Inline = true);
  end 'Modelica.Math.tan';

  function 'Modelica.Math.asin' "As an argument of functions"
    input Real 'u';
    output Real 'y';
  algorithm
    'y' := asin('u');
    annotation(Inline = true);
  end 'Modelica.Math.asin';

  function 'Modelica.Math.acos' "As an argument of functions"
    input Real 'u';
    output Real 'y';
  algorithm
    'y' := acos('u');
    annotation(Inline = true);
  end 'Modelica.Math.acos';

  function 'Modelica.Math.atan' "As an argument of functions"
    input Real 'u';
    output Real 'y';
  algorithm
    'y' := atan('u');
    annotation(Inline = true);
  end 'Modelica.Math.atan';

  function 'Modelica.Math.sinh' "As an argument of functions"
    input Real 'u';
    output Real 'y';
  algorithm
    'y' := sinh('u');
    annotation(Inline = true);
  end 'Modelica.Math.sinh';

  function 'Modelica.Math.cosh' "As an argument of functions"
    input Real 'u';
    output Real 'y';
  algorithm
    'y' := cosh('u');
    annotation(Inline = true);
  end 'Modelica.Math.cosh';

  function 'Modelica.Math.tanh' "As an argument of functions"
    input Real 'u';
    output Real 'y';
  algorithm
    'y' := tanh('u');
    annotation(Inline = true);
  end 'Modelica.Math.tanh';

  function 'Modelica.Math.exp' "As an argument of functions"
    input Real 'u';
    output Real 'y';
  algorithm
    'y' := exp('u');
    annotation(Inline = true);
  end 'Modelica.Math.exp';

  function 'Modelica.Math.log' "As an argument of functions"
    input Real 'u';
    output Real 'y';
  algorithm
    'y' := log('u');
    annotation(Inline = true);
  end 'Modelica.Math.log';

  function 'Modelica.Math.log10' "As an argument of functions"
    input Real 'u';
    output Real 'y';
  algorithm
    'y' := log10('u');
    annotation(Inline = true);
  end 'Modelica.Math.log10';

  function 'Modelica.Math.sqrt' "As an argument of functions"
    input Real 'u';
    output Real 'y';
  algorithm
    'y' := sqrt('u');
    annotation(Inline = true);
  end 'Modelica.Math.sqrt';

  function 'Modelica.Math.abs' "As an argument of functions"
    input Real 'u';
    output Real 'y';
  algorithm
    'y' := abs('u');
    annotation(Inline = true);
  end 'Modelica.Math.abs';

  function 'Modelica.Math.atan2' "As an argument of functions"
    input Real 'u1';
    input Real 'u2';
    output Real 'y';
  algorithm
    'y' := atan2('u1', 'u2');
    annotation(Inline = true);
  end 'Modelica.Math.atan2';

  function 'Modelica.Utilities.Streams.countLines' "Lines of a file"
    input String 'fileName';
    output Integer 'numberOfLines';
  external "C" 'numberOfLines' = ModelicaInternal_countLines('fileName');
  end 'Modelica.Utilities.Streams.countLines';

  function 'Modelica.Utilities.Streams.readLine' "A line of a file, while the model is compiled"
    input String 'fileName';
    input Integer 'lineNumber';
    output String 'string';
    output Boolean 'endOfFile';
  external "C" 'string' = ModelicaInternal_readLine('fileName', 'lineNumber', 'endOfFile');
  end 'Modelica.Utilities.Streams.readLine';

  function 'Modelica.Utilities.Streams.readFile' "All lines of a file, while the model is compiled"
    input String 'fileName';
    output String 'stringVector'['Modelica.Utilities.Streams.countLines'('fileName')];
  external "C" ModelicaInternal_readFile('fileName', 'stringVector', size('stringVector', 1));
  end 'Modelica.Utilities.Streams.readFile';

  function 'Modelica.Utilities.Streams.close' "Nothing is open between two calls"
    input String 'fileName';
  algorithm
  end 'Modelica.Utilities.Streams.close';

  function 'Modelica.Utilities.Streams.error'
    input String 'string';
  algorithm
    assert(false, 'string', AssertionLevel.error);
  end 'Modelica.Utilities.Streams.error';

  impure function 'Modelica.Utilities.Streams.print'
    input String 'string' = "";
    input String 'fileName' = "";
  external "C" ModelicaInternal_print('string', 'fileName');
  end 'Modelica.Utilities.Streams.print';

  function 'Modelica.Units.Conversions.to_degF'
    input Real 'Kelvin';
    output Real 'Fahrenheit';
  algorithm
    'Fahrenheit' := ('Kelvin' - 273.15) * 1.8 + 32.0;
    annotation(Inline = true);
  end 'Modelica.Units.Conversions.to_degF';

  function 'Modelica.Units.Conversions.from_degF'
    input Real 'Fahrenheit';
    output Real 'Kelvin';
  algorithm
    'Kelvin' := ('Fahrenheit' - 32.0) / 1.8 + 273.15;
    annotation(Inline = true);
  end 'Modelica.Units.Conversions.from_degF';

  function 'Modelica.Units.Conversions.to_degRk'
    input Real 'Kelvin';
    output Real 'Rankine';
  algorithm
    'Rankine' := 'Kelvin' * 1.8;
    annotation(Inline = true);
  end 'Modelica.Units.Conversions.to_degRk';

  function 'Modelica.Units.Conversions.from_degRk'
    input Real 'Rankine';
    output Real 'Kelvin';
  algorithm
    'Kelvin' := 'Rankine' / 1.8;
    annotation(Inline = true);
  end 'Modelica.Units.Conversions.from_degRk';

  function 'Modelica.Units.Conversions.to_kmh'
    input Real 'ms';
    output Real 'kmh';
  algorithm
    'kmh' := 'ms' * 3.6;
    annotation(Inline = true);
  end 'Modelica.Units.Conversions.to_kmh';

  function 'Modelica.Units.Conversions.from_kmh'
    input Real 'kmh';
    output Real 'ms';
  algorithm
    'ms' := 'kmh' / 3.6;
    annotation(Inline = true);
  end 'Modelica.Units.Conversions.from_kmh';

  function 'Modelica.Units.Conversions.to_day'
    input Real 's';
    output Real 'day';
  algorithm
    'day' := 's' / 86400.0;
    annotation(Inline = true);
  end 'Modelica.Units.Conversions.to_day';

  function 'Modelica.Units.Conversions.from_day'
    input Real 'day';
    output Real 's';
  algorithm
    's' := 'day' * 86400.0;
    annotation(Inline = true);
  end 'Modelica.Units.Conversions.from_day';

  function 'Modelica.Units.Conversions.to_hour'
    input Real 's';
    output Real 'hour';
  algorithm
    'hour' := 's' / 3600.0;
    annotation(Inline = true);
  end 'Modelica.Units.Conversions.to_hour';

  function 'Modelica.Units.Conversions.from_hour'
    input Real 'hour';
    output Real 's';
  algorithm
    's' := 'hour' * 3600.0;
    annotation(Inline = true);
  end 'Modelica.Units.Conversions.from_hour';

  function 'Modelica.Units.Conversions.to_minute'
    input Real 's';
    output Real 'minute';
  algorithm
    'minute' := 's' / 60.0;
    annotation(Inline = true);
  end 'Modelica.Units.Conversions.to_minute';

  function 'Modelica.Units.Conversions.from_minute'
    input Real 'minute';
    output Real 's';
  algorithm
    's' := 'minute' * 60.0;
    annotation(Inline = true);
  end 'Modelica.Units.Conversions.from_minute';

  function 'Modelica.Units.Conversions.to_litre'
    input Real 'm3';
    output Real 'litre';
  algorithm
    'litre' := 'm3' * 1000.0;
    annotation(Inline = true);
  end 'Modelica.Units.Conversions.to_litre';

  function 'Modelica.Units.Conversions.from_litre'
    input Real 'litre';
    output Real 'm3';
  algorithm
    'm3' := 'litre' / 1000.0;
    annotation(Inline = true);
  end 'Modelica.Units.Conversions.from_litre';

  function 'Modelica.Units.Conversions.to_kWh'
    input Real 'J';
    output Real 'kWh';
  algorithm
    'kWh' := 'J' / 3.6e6;
    annotation(Inline = true);
  end 'Modelica.Units.Conversions.to_kWh';

  function 'Modelica.Units.Conversions.from_kWh'
    input Real 'kWh';
    output Real 'J';
  algorithm
    'J' := 'kWh' * 3.6e6;
    annotation(Inline = true);
  end 'Modelica.Units.Conversions.from_kWh';

  function 'Modelica.Units.Conversions.to_mmHg'
    input Real 'Pa';
    output Real 'mmHg';
  algorithm
    'mmHg' := 'Pa' / 133.322387415;
    annotation(Inline = true);
  end 'Modelica.Units.Conversions.to_mmHg';

  function 'Modelica.Units.Conversions.from_mmHg'
    input Real 'mmHg';
    output Real 'Pa';
  algorithm
    'Pa' := 'mmHg' * 133.322387415;
    annotation(Inline = true);
  end 'Modelica.Units.Conversions.from_mmHg';

  function 'Modelica.Units.Conversions.to_gps'
    input Real 'kgps';
    output Real 'gps';
  algorithm
    'gps' := 'kgps' * 1000.0;
    annotation(Inline = true);
  end 'Modelica.Units.Conversions.to_gps';

  function 'Modelica.Units.Conversions.from_gps'
    input Real 'gps';
    output Real 'kgps';
  algorithm
    'kgps' := 'gps' / 1000.0;
    annotation(Inline = true);
  end 'Modelica.Units.Conversions.from_gps';

  function 'Modelica.Units.Conversions.to_Hz'
    input Real 'w';
    output Real 'f';
  algorithm
    'f' := 'w' / 6.283185307179586;
    annotation(Inline = true);
  end 'Modelica.Units.Conversions.to_Hz';

  function 'Modelica.Units.Conversions.from_Hz'
    input Real 'f';
    output Real 'w';
  algorithm
    'w' := 'f' * 6.283185307179586;
    annotation(Inline = true);
  end 'Modelica.Units.Conversions.from_Hz';

  function 'Modelica.ComplexMath.fromPolar'
    input Real 'len';
    input Real 'phi';
    output 'Complex' 'c';
  algorithm
    'c' := 'Complex'('len' * cos('phi'), 'len' * sin('phi'));
    annotation(Inline = true);
  end 'Modelica.ComplexMath.fromPolar';

  function 'Modelica.ComplexMath.exp'
    input 'Complex' 'c1';
    output 'Complex' 'c2';
  algorithm
    'c2' := 'Complex'(exp('c1'.'re') * cos('c1'.'im'), exp('c1'.'re') * sin('c1'.'im'));
    annotation(Inline = true);
  end 'Modelica.ComplexMath.exp';

  function 'Modelica.ComplexMath.log'
    input 'Complex' 'c1';
    output 'Complex' 'c2';
  algorithm
    'c2' := 'Complex'(log(sqrt('c1'.'re' ^ 2 + 'c1'.'im' ^ 2)), atan2('c1'.'im', 'c1'.'re'));
    annotation(Inline = true);
  end 'Modelica.ComplexMath.log';

  function 'Modelica.ComplexMath.sqrt'
    input 'Complex' 'c1';
    output 'Complex' 'c2';
    Real 'r' = ('c1'.'re' ^ 2 + 'c1'.'im' ^ 2) ^ 0.25;
    Real 'phi' = 0.5 * atan2('c1'.'im', 'c1'.'re');
  algorithm
    'c2' := 'Complex'('r' * cos('phi'), 'r' * sin('phi'));
  end 'Modelica.ComplexMath.sqrt';

  function 'Modelica.ComplexMath.sum'
    input 'Complex' 'v'[:];
    output 'Complex' 'result';
  algorithm
    'result' := 'Complex'(sum('v'['i'].'re' for 'i' in 1:size('v', 1)), sum('v'['i'].'im' for 'i' in 1:size('v', 1)));
  end 'Modelica.ComplexMath.sum';

  function 'Modelica.Electrical.Polyphase.Functions.numberOfSymmetricBaseSystems' "How often the number of phases can be halved down to an odd number or two, as a power of two"
    input Integer 'm';
    output Integer 'n';
    Integer 'rest';
  algorithm
    'n' := 1;
    'rest' := 'm';
    while mod('rest', 2) == 0 and 'rest' <> 2 loop
      'n' := 2 * 'n';
      'rest' := div('rest', 2);
    end while;
  end 'Modelica.Electrical.Polyphase.Functions.numberOfSymmetricBaseSystems';

  // What omc prints for `inStream` where it leaves the choice of a regularisation to the tool.
  function '$OMC$PositiveMax' "A mass flow rate that enters, at least a small one"
    input Real 'flow';
    input Real 'smallest';
    output Real 'positive';
  algorithm
    'positive' := max('flow', 'smallest');
  end '$OMC$PositiveMax';

  function '$OMC$inStreamDiv' "A mixture; its flow rates are at least small ones, so that it always exists"
    input Real 'mixture';
    input Real 'without';
    output Real 'value';
  algorithm
    'value' := 'mixture';
  end '$OMC$inStreamDiv';
end 'Library';
