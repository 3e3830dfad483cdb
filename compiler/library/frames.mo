//! base 0.1.0
// Orientations of coordinate systems: vectors and matrices resolved in other systems.
package 'Library'
  record 'Modelica.Mechanics.MultiBody.Frames.Orientation'
    Real 'T'[3, 3];
    Real 'w'[3];
  end 'Modelica.Mechanics.MultiBody.Frames.Orientation';

  function 'Modelica.Mechanics.MultiBody.Frames.axis'
    input Integer 'axis';
    output Real 'e'[3];
  algorithm
    'e' := if 'axis' == 1 then {1.0, 0.0, 0.0} else if 'axis' == 2 then {0.0, 1.0, 0.0} else {0.0, 0.0, 1.0};
    annotation(Inline = true);
  end 'Modelica.Mechanics.MultiBody.Frames.axis';

  function 'Modelica.Mechanics.MultiBody.Frames.resolve1'
    input 'Modelica.Mechanics.MultiBody.Frames.Orientation' 'R';
    input Real 'v2'[3];
    output Real 'v1'[3];
  algorithm
    'v1' := transpose('R'.'T') * 'v2';
    annotation(Inline = true);
  end 'Modelica.Mechanics.MultiBody.Frames.resolve1';

  function 'Modelica.Mechanics.MultiBody.Frames.resolve2'
    input 'Modelica.Mechanics.MultiBody.Frames.Orientation' 'R';
    input Real 'v1'[3];
    output Real 'v2'[3];
  algorithm
    'v2' := 'R'.'T' * 'v1';
    annotation(Inline = true);
  end 'Modelica.Mechanics.MultiBody.Frames.resolve2';

  function 'Modelica.Mechanics.MultiBody.Frames.resolveRelative'
    input Real 'v1'[3];
    input 'Modelica.Mechanics.MultiBody.Frames.Orientation' 'R1';
    input 'Modelica.Mechanics.MultiBody.Frames.Orientation' 'R2';
    output Real 'v2'[3];
  algorithm
    'v2' := 'R2'.'T' * (transpose('R1'.'T') * 'v1');
    annotation(Inline = true);
  end 'Modelica.Mechanics.MultiBody.Frames.resolveRelative';

  function 'Modelica.Mechanics.MultiBody.Frames.angularVelocity1'
    input 'Modelica.Mechanics.MultiBody.Frames.Orientation' 'R';
    output Real 'w'[3];
  algorithm
    'w' := transpose('R'.'T') * 'R'.'w';
    annotation(Inline = true);
  end 'Modelica.Mechanics.MultiBody.Frames.angularVelocity1';

  function 'Modelica.Mechanics.MultiBody.Frames.angularVelocity2'
    input 'Modelica.Mechanics.MultiBody.Frames.Orientation' 'R';
    output Real 'w'[3];
  algorithm
    'w' := 'R'.'w';
    annotation(Inline = true);
  end 'Modelica.Mechanics.MultiBody.Frames.angularVelocity2';

  function 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.axisRotation'
    input Integer 'axis';
    input Real 'angle';
    output Real 'T'[3, 3];
    Real 'c' = cos('angle');
    Real 's' = sin('angle');
  algorithm
    'T' := if 'axis' == 1 then [1.0, 0.0, 0.0; 0.0, 'c', 's'; 0.0, -'s', 'c'] else if 'axis' == 2 then ['c', 0.0, -'s'; 0.0, 1.0, 0.0; 's', 0.0, 'c'] else ['c', 's', 0.0; -'s', 'c', 0.0; 0.0, 0.0, 1.0];
    annotation(Inline = true);
  end 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.axisRotation';

  function 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.inverseRotation'
    input Real 'T'[3, 3];
    output Real 'T_inv'[3, 3];
  algorithm
    'T_inv' := transpose('T');
    annotation(Inline = true);
  end 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.inverseRotation';

  function 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.nullRotation'
    output Real 'T'[3, 3];
  algorithm
    'T' := identity(3);
    annotation(Inline = true);
  end 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.nullRotation';
end 'Library';
