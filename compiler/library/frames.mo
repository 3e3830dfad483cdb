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

  function 'Modelica.Mechanics.MultiBody.Frames.nullRotation'
    output 'Modelica.Mechanics.MultiBody.Frames.Orientation' 'R';
  algorithm
    'R' := 'Modelica.Mechanics.MultiBody.Frames.Orientation'(identity(3), zeros(3));
    annotation(Inline = true);
  end 'Modelica.Mechanics.MultiBody.Frames.nullRotation';

  function 'Modelica.Mechanics.MultiBody.Frames.inverseRotation'
    input 'Modelica.Mechanics.MultiBody.Frames.Orientation' 'R';
    output 'Modelica.Mechanics.MultiBody.Frames.Orientation' 'R_inv';
  algorithm
    'R_inv' := 'Modelica.Mechanics.MultiBody.Frames.Orientation'(transpose('R'.'T'), -('R'.'T' * 'R'.'w'));
    annotation(Inline = true);
  end 'Modelica.Mechanics.MultiBody.Frames.inverseRotation';

  function 'Modelica.Mechanics.MultiBody.Frames.absoluteRotation' "Orientation of a frame that is turned against another one"
    input 'Modelica.Mechanics.MultiBody.Frames.Orientation' 'R1';
    input 'Modelica.Mechanics.MultiBody.Frames.Orientation' 'R_rel';
    output 'Modelica.Mechanics.MultiBody.Frames.Orientation' 'R2';
  algorithm
    'R2' := 'Modelica.Mechanics.MultiBody.Frames.Orientation'('R_rel'.'T' * 'R1'.'T', 'R_rel'.'T' * 'R1'.'w' + 'R_rel'.'w');
    annotation(Inline = true);
  end 'Modelica.Mechanics.MultiBody.Frames.absoluteRotation';

  function 'Modelica.Mechanics.MultiBody.Frames.relativeRotation' "How a frame is turned against another one"
    input 'Modelica.Mechanics.MultiBody.Frames.Orientation' 'R1';
    input 'Modelica.Mechanics.MultiBody.Frames.Orientation' 'R2';
    output 'Modelica.Mechanics.MultiBody.Frames.Orientation' 'R_rel';
  algorithm
    'R_rel' := 'Modelica.Mechanics.MultiBody.Frames.Orientation'('R2'.'T' * transpose('R1'.'T'), 'R2'.'w' - 'R2'.'T' * (transpose('R1'.'T') * 'R1'.'w'));
    annotation(Inline = true);
  end 'Modelica.Mechanics.MultiBody.Frames.relativeRotation';

  function 'Modelica.Mechanics.MultiBody.Frames.planarRotation'
    input Real 'e'[3];
    input Real 'angle';
    input Real 'der_angle';
    output 'Modelica.Mechanics.MultiBody.Frames.Orientation' 'R';
  algorithm
    'R' := 'Modelica.Mechanics.MultiBody.Frames.Orientation'('Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.planarRotation'('e', 'angle'), 'e' * 'der_angle');
    annotation(Inline = true);
  end 'Modelica.Mechanics.MultiBody.Frames.planarRotation';

  function 'Modelica.Mechanics.MultiBody.Frames.resolveDyade1'
    input 'Modelica.Mechanics.MultiBody.Frames.Orientation' 'R';
    input Real 'D2'[3, 3];
    output Real 'D1'[3, 3];
  algorithm
    'D1' := transpose('R'.'T') * 'D2' * 'R'.'T';
    annotation(Inline = true);
  end 'Modelica.Mechanics.MultiBody.Frames.resolveDyade1';

  function 'Modelica.Mechanics.MultiBody.Frames.resolveDyade2'
    input 'Modelica.Mechanics.MultiBody.Frames.Orientation' 'R';
    input Real 'D1'[3, 3];
    output Real 'D2'[3, 3];
  algorithm
    'D2' := 'R'.'T' * 'D1' * transpose('R'.'T');
    annotation(Inline = true);
  end 'Modelica.Mechanics.MultiBody.Frames.resolveDyade2';

  function 'Modelica.Mechanics.MultiBody.Frames.from_T'
    input Real 'T'[3, 3];
    input Real 'w'[3];
    output 'Modelica.Mechanics.MultiBody.Frames.Orientation' 'R';
  algorithm
    'R' := 'Modelica.Mechanics.MultiBody.Frames.Orientation'('T', 'w');
    annotation(Inline = true);
  end 'Modelica.Mechanics.MultiBody.Frames.from_T';

  function 'Modelica.Mechanics.MultiBody.Frames.to_T'
    input 'Modelica.Mechanics.MultiBody.Frames.Orientation' 'R';
    output Real 'T'[3, 3];
  algorithm
    'T' := 'R'.'T';
    annotation(Inline = true);
  end 'Modelica.Mechanics.MultiBody.Frames.to_T';

  function 'Modelica.Mechanics.MultiBody.Frames.orientationConstraint' "Zero if the columns are orthogonal unit vectors"
    input 'Modelica.Mechanics.MultiBody.Frames.Orientation' 'R';
    output Real 'residue'[6];
  algorithm
    'residue' := {'R'.'T'[:, 1] * 'R'.'T'[:, 1] - 1.0, 'R'.'T'[:, 2] * 'R'.'T'[:, 2] - 1.0, 'R'.'T'[:, 3] * 'R'.'T'[:, 3] - 1.0, 'R'.'T'[:, 1] * 'R'.'T'[:, 2], 'R'.'T'[:, 1] * 'R'.'T'[:, 3], 'R'.'T'[:, 2] * 'R'.'T'[:, 3]};
    annotation(Inline = true);
  end 'Modelica.Mechanics.MultiBody.Frames.orientationConstraint';

  function 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.resolveDyade1'
    input Real 'T'[3, 3];
    input Real 'D2'[3, 3];
    output Real 'D1'[3, 3];
  algorithm
    'D1' := transpose('T') * 'D2' * 'T';
    annotation(Inline = true);
  end 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.resolveDyade1';

  function 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.resolveDyade2'
    input Real 'T'[3, 3];
    input Real 'D1'[3, 3];
    output Real 'D2'[3, 3];
  algorithm
    'D2' := 'T' * 'D1' * transpose('T');
    annotation(Inline = true);
  end 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.resolveDyade2';

  function 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.axesRotations' "Three rotations about axes, the first one first"
    input Integer 'sequence'[3];
    input Real 'angles'[3];
    output Real 'T'[3, 3];
  algorithm
    'T' := 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.axisRotation'('sequence'[3], 'angles'[3]) * 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.axisRotation'('sequence'[2], 'angles'[2]) * 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.axisRotation'('sequence'[1], 'angles'[1]);
    annotation(Inline = true);
  end 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.axesRotations';
end 'Library';
