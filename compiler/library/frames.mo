//! base 0.1.0
// Orientations of coordinate systems, by matrices and by quaternions (x, y, z and then the scalar): vectors and matrices resolved in
// other systems.
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

  function 'Modelica.Mechanics.MultiBody.Frames.axisRotation' "Rotation about an axis of the frame"
    input Integer 'axis';
    input Real 'angle';
    input Real 'der_angle';
    output 'Modelica.Mechanics.MultiBody.Frames.Orientation' 'R';
  algorithm
    'R'.'T' := 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.axisRotation'('axis', 'angle');
    'R'.'w' := 'Modelica.Mechanics.MultiBody.Frames.axis'('axis') * 'der_angle';
    annotation(Inline = true);
  end 'Modelica.Mechanics.MultiBody.Frames.axisRotation';

  function 'Modelica.Mechanics.MultiBody.Frames.axesRotations' "Three rotations about axes, the first one first"
    input Integer 'sequence'[3];
    input Real 'angles'[3];
    input Real 'der_angles'[3];
    output 'Modelica.Mechanics.MultiBody.Frames.Orientation' 'R';
    Real 'A'[3, 3];
    Real 'B'[3, 3];
  algorithm
    'A' := 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.axisRotation'('sequence'[3], 'angles'[3]);
    'B' := 'A' * 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.axisRotation'('sequence'[2], 'angles'[2]);
    'R'.'T' := 'B' * 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.axisRotation'('sequence'[1], 'angles'[1]);
    'R'.'w' := 'Modelica.Mechanics.MultiBody.Frames.axis'('sequence'[3]) * 'der_angles'[3] + 'A' * ('Modelica.Mechanics.MultiBody.Frames.axis'('sequence'[2]) * 'der_angles'[2]) + 'B' * ('Modelica.Mechanics.MultiBody.Frames.axis'('sequence'[1]) * 'der_angles'[1]);
  end 'Modelica.Mechanics.MultiBody.Frames.axesRotations';

  function 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.from_nxy' "Frame with its x axis along one vector and its y axis near another one"
    input Real 'n_x'[3];
    input Real 'n_y'[3];
    output Real 'T'[3, 3];
    Real 'x'[3];
    Real 'y'[3];
    Real 'z'[3];
  algorithm
    'x' := if 'Modelica.Math.Vectors.length'('n_x') < 1e-10 then {1.0, 0.0, 0.0} else 'n_x' / 'Modelica.Math.Vectors.length'('n_x');
    'z' := cross('x', 'n_y');
    // Another vector where the two are parallel.
    'y' := if 'z' * 'z' > 1e-6 then 'n_y' else if abs('x'[1]) > 1e-6 then {0.0, 1.0, 0.0} else {1.0, 0.0, 0.0};
    'z' := 'Modelica.Math.Vectors.normalize'(cross('x', 'y'));
    'y' := cross('z', 'x');
    'T' := {{'x'[1], 'x'[2], 'x'[3]}, {'y'[1], 'y'[2], 'y'[3]}, {'z'[1], 'z'[2], 'z'[3]}};
  end 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.from_nxy';

  function 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.from_nxz' "Frame with its x axis along one vector and its z axis near another one"
    input Real 'n_x'[3];
    input Real 'n_z'[3];
    output Real 'T'[3, 3];
    Real 'x'[3];
    Real 'y'[3];
    Real 'z'[3];
  algorithm
    'x' := if 'Modelica.Math.Vectors.length'('n_x') < 1e-10 then {1.0, 0.0, 0.0} else 'n_x' / 'Modelica.Math.Vectors.length'('n_x');
    'y' := cross('n_z', 'x');
    'z' := if 'y' * 'y' > 1e-6 then 'n_z' else if abs('x'[1]) > 1e-6 then {0.0, 0.0, 1.0} else {1.0, 0.0, 0.0};
    'y' := 'Modelica.Math.Vectors.normalize'(cross('z', 'x'));
    'z' := cross('x', 'y');
    'T' := {{'x'[1], 'x'[2], 'x'[3]}, {'y'[1], 'y'[2], 'y'[3]}, {'z'[1], 'z'[2], 'z'[3]}};
  end 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.from_nxz';

  function 'Modelica.Mechanics.MultiBody.Frames.from_nxy'
    input Real 'n_x'[3];
    input Real 'n_y'[3];
    output 'Modelica.Mechanics.MultiBody.Frames.Orientation' 'R';
  algorithm
    'R'.'T' := 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.from_nxy'('n_x', 'n_y');
    'R'.'w' := {0.0, 0.0, 0.0};
  end 'Modelica.Mechanics.MultiBody.Frames.from_nxy';

  function 'Modelica.Mechanics.MultiBody.Frames.from_nxz'
    input Real 'n_x'[3];
    input Real 'n_z'[3];
    output 'Modelica.Mechanics.MultiBody.Frames.Orientation' 'R';
  algorithm
    'R'.'T' := 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.from_nxz'('n_x', 'n_z');
    'R'.'w' := {0.0, 0.0, 0.0};
  end 'Modelica.Mechanics.MultiBody.Frames.from_nxz';

  function 'Modelica.Mechanics.MultiBody.Frames.from_T2' "Orientation of a matrix and its derivative"
    input Real 'T'[3, 3];
    input Real 'der_T'[3, 3];
    output 'Modelica.Mechanics.MultiBody.Frames.Orientation' 'R';
  algorithm
    'R'.'T' := 'T';
    'R'.'w' := 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.angularVelocity2'('T', 'der_T');
  end 'Modelica.Mechanics.MultiBody.Frames.from_T2';

  function 'Modelica.Mechanics.MultiBody.Frames.to_T_inv'
    input 'Modelica.Mechanics.MultiBody.Frames.Orientation' 'R';
    output Real 'T_inv'[3, 3];
  algorithm
    'T_inv' := transpose('R'.'T');
  end 'Modelica.Mechanics.MultiBody.Frames.to_T_inv';

  function 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.angularVelocity1' "Angular velocity resolved in frame 1, of a matrix and its derivative"
    input Real 'T'[3, 3];
    input Real 'der_T'[3, 3];
    output Real 'w'[3];
  algorithm
    'w' := {'T'[1, 2] * 'der_T'[1, 3] + 'T'[2, 2] * 'der_T'[2, 3] + 'T'[3, 2] * 'der_T'[3, 3], -('T'[1, 1] * 'der_T'[1, 3] + 'T'[2, 1] * 'der_T'[2, 3] + 'T'[3, 1] * 'der_T'[3, 3]), 'T'[1, 1] * 'der_T'[1, 2] + 'T'[2, 1] * 'der_T'[2, 2] + 'T'[3, 1] * 'der_T'[3, 2]};
  end 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.angularVelocity1';

  function 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.angularVelocity2' "Angular velocity resolved in frame 2, of a matrix and its derivative"
    input Real 'T'[3, 3];
    input Real 'der_T'[3, 3];
    output Real 'w'[3];
  algorithm
    'w' := {'T'[3, 1] * 'der_T'[2, 1] + 'T'[3, 2] * 'der_T'[2, 2] + 'T'[3, 3] * 'der_T'[2, 3], -('T'[3, 1] * 'der_T'[1, 1] + 'T'[3, 2] * 'der_T'[1, 2] + 'T'[3, 3] * 'der_T'[1, 3]), 'T'[2, 1] * 'der_T'[1, 1] + 'T'[2, 2] * 'der_T'[1, 2] + 'T'[2, 3] * 'der_T'[1, 3]};
  end 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.angularVelocity2';

  function 'Modelica.Mechanics.MultiBody.Frames.to_vector' "The elements of a matrix, row after row"
    input 'Modelica.Mechanics.MultiBody.Frames.Orientation' 'R';
    output Real 'vec'[9];
  algorithm
    'vec' := {'R'.'T'[1, 1], 'R'.'T'[2, 1], 'R'.'T'[3, 1], 'R'.'T'[1, 2], 'R'.'T'[2, 2], 'R'.'T'[3, 2], 'R'.'T'[1, 3], 'R'.'T'[2, 3], 'R'.'T'[3, 3]};
  end 'Modelica.Mechanics.MultiBody.Frames.to_vector';

  function 'Modelica.Mechanics.MultiBody.Frames.to_exy' "The x and y axis of frame 2 as columns"
    input 'Modelica.Mechanics.MultiBody.Frames.Orientation' 'R';
    output Real 'exy'[3, 2];
  algorithm
    'exy' := {{'R'.'T'[1, 1], 'R'.'T'[2, 1]}, {'R'.'T'[1, 2], 'R'.'T'[2, 2]}, {'R'.'T'[1, 3], 'R'.'T'[2, 3]}};
  end 'Modelica.Mechanics.MultiBody.Frames.to_exy';

  function 'Modelica.Mechanics.MultiBody.Frames.Quaternions.nullRotation'
    output Real 'Q'[4];
  algorithm
    'Q' := {0.0, 0.0, 0.0, 1.0};
    annotation(Inline = true);
  end 'Modelica.Mechanics.MultiBody.Frames.Quaternions.nullRotation';

  function 'Modelica.Mechanics.MultiBody.Frames.Quaternions.inverseRotation'
    input Real 'Q'[4];
    output Real 'Q_inv'[4];
  algorithm
    'Q_inv' := {-'Q'[1], -'Q'[2], -'Q'[3], 'Q'[4]};
    annotation(Inline = true);
  end 'Modelica.Mechanics.MultiBody.Frames.Quaternions.inverseRotation';

  function 'Modelica.Mechanics.MultiBody.Frames.Quaternions.orientationConstraint' "Zero if the quaternion has the length one"
    input Real 'Q'[4];
    output Real 'residue'[1];
  algorithm
    'residue' := {'Q' * 'Q' - 1.0};
    annotation(Inline = true);
  end 'Modelica.Mechanics.MultiBody.Frames.Quaternions.orientationConstraint';

  function 'Modelica.Mechanics.MultiBody.Frames.Quaternions.angularVelocity1'
    input Real 'Q'[4];
    input Real 'der_Q'[4];
    output Real 'w'[3];
  algorithm
    'w' := 2.0 * {'Q'[4] * 'der_Q'[1] - 'Q'[3] * 'der_Q'[2] + 'Q'[2] * 'der_Q'[3] - 'Q'[1] * 'der_Q'[4], 'Q'[3] * 'der_Q'[1] + 'Q'[4] * 'der_Q'[2] - 'Q'[1] * 'der_Q'[3] - 'Q'[2] * 'der_Q'[4], -'Q'[2] * 'der_Q'[1] + 'Q'[1] * 'der_Q'[2] + 'Q'[4] * 'der_Q'[3] - 'Q'[3] * 'der_Q'[4]};
    annotation(Inline = true);
  end 'Modelica.Mechanics.MultiBody.Frames.Quaternions.angularVelocity1';

  function 'Modelica.Mechanics.MultiBody.Frames.Quaternions.angularVelocity2'
    input Real 'Q'[4];
    input Real 'der_Q'[4];
    output Real 'w'[3];
  algorithm
    'w' := 2.0 * {'Q'[4] * 'der_Q'[1] + 'Q'[3] * 'der_Q'[2] - 'Q'[2] * 'der_Q'[3] - 'Q'[1] * 'der_Q'[4], -'Q'[3] * 'der_Q'[1] + 'Q'[4] * 'der_Q'[2] + 'Q'[1] * 'der_Q'[3] - 'Q'[2] * 'der_Q'[4], 'Q'[2] * 'der_Q'[1] - 'Q'[1] * 'der_Q'[2] + 'Q'[4] * 'der_Q'[3] - 'Q'[3] * 'der_Q'[4]};
    annotation(Inline = true);
  end 'Modelica.Mechanics.MultiBody.Frames.Quaternions.angularVelocity2';

  function 'Modelica.Mechanics.MultiBody.Frames.Quaternions.resolve1'
    input Real 'Q'[4];
    input Real 'v2'[3];
    output Real 'v1'[3];
    Real 'q'[3] = {'Q'[1], 'Q'[2], 'Q'[3]};
  algorithm
    'v1' := 2.0 * (('Q'[4] * 'Q'[4] - 0.5) * 'v2' + ('q' * 'v2') * 'q' + 'Q'[4] * cross('q', 'v2'));
    annotation(Inline = true);
  end 'Modelica.Mechanics.MultiBody.Frames.Quaternions.resolve1';

  function 'Modelica.Mechanics.MultiBody.Frames.Quaternions.resolve2'
    input Real 'Q'[4];
    input Real 'v1'[3];
    output Real 'v2'[3];
    Real 'q'[3] = {'Q'[1], 'Q'[2], 'Q'[3]};
  algorithm
    'v2' := 2.0 * (('Q'[4] * 'Q'[4] - 0.5) * 'v1' + ('q' * 'v1') * 'q' - 'Q'[4] * cross('q', 'v1'));
    annotation(Inline = true);
  end 'Modelica.Mechanics.MultiBody.Frames.Quaternions.resolve2';

  function 'Modelica.Mechanics.MultiBody.Frames.Quaternions.relativeRotation' "How a frame is turned against another one"
    input Real 'Q1'[4];
    input Real 'Q2'[4];
    output Real 'Q_rel'[4];
    Real 'a'[3] = {'Q1'[1], 'Q1'[2], 'Q1'[3]};
    Real 'b'[3] = {'Q2'[1], 'Q2'[2], 'Q2'[3]};
    Real 'c'[3];
  algorithm
    'c' := 'Q1'[4] * 'b' - 'Q2'[4] * 'a' - cross('a', 'b');
    'Q_rel' := {'c'[1], 'c'[2], 'c'[3], 'Q1' * 'Q2'};
    annotation(Inline = true);
  end 'Modelica.Mechanics.MultiBody.Frames.Quaternions.relativeRotation';

  function 'Modelica.Mechanics.MultiBody.Frames.Quaternions.absoluteRotation' "Orientation of a frame that is turned against another one"
    input Real 'Q1'[4];
    input Real 'Q_rel'[4];
    output Real 'Q2'[4];
    Real 'a'[3] = {'Q1'[1], 'Q1'[2], 'Q1'[3]};
    Real 'b'[3] = {'Q_rel'[1], 'Q_rel'[2], 'Q_rel'[3]};
    Real 'c'[3];
  algorithm
    'c' := 'Q1'[4] * 'b' + 'Q_rel'[4] * 'a' + cross('a', 'b');
    'Q2' := {'c'[1], 'c'[2], 'c'[3], 'Q1'[4] * 'Q_rel'[4] - 'a' * 'b'};
    annotation(Inline = true);
  end 'Modelica.Mechanics.MultiBody.Frames.Quaternions.absoluteRotation';

  function 'Modelica.Mechanics.MultiBody.Frames.Quaternions.planarRotation'
    input Real 'e'[3];
    input Real 'angle';
    output Real 'Q'[4];
  algorithm
    'Q' := {'e'[1] * sin('angle' / 2.0), 'e'[2] * sin('angle' / 2.0), 'e'[3] * sin('angle' / 2.0), cos('angle' / 2.0)};
    annotation(Inline = true);
  end 'Modelica.Mechanics.MultiBody.Frames.Quaternions.planarRotation';

  function 'Modelica.Mechanics.MultiBody.Frames.Quaternions.smallRotation' "Angles of a small rotation"
    input Real 'Q'[4];
    output Real 'phi'[3];
  algorithm
    'phi' := {2.0 * 'Q'[1], 2.0 * 'Q'[2], 2.0 * 'Q'[3]};
    annotation(Inline = true);
  end 'Modelica.Mechanics.MultiBody.Frames.Quaternions.smallRotation';

  function 'Modelica.Mechanics.MultiBody.Frames.Quaternions.to_T'
    input Real 'Q'[4];
    output Real 'T'[3, 3];
  algorithm
    'T' := {{2.0 * ('Q'[1] * 'Q'[1] + 'Q'[4] * 'Q'[4]) - 1.0, 2.0 * ('Q'[1] * 'Q'[2] + 'Q'[3] * 'Q'[4]), 2.0 * ('Q'[1] * 'Q'[3] - 'Q'[2] * 'Q'[4])}, {2.0 * ('Q'[2] * 'Q'[1] - 'Q'[3] * 'Q'[4]), 2.0 * ('Q'[2] * 'Q'[2] + 'Q'[4] * 'Q'[4]) - 1.0, 2.0 * ('Q'[2] * 'Q'[3] + 'Q'[1] * 'Q'[4])}, {2.0 * ('Q'[3] * 'Q'[1] + 'Q'[2] * 'Q'[4]), 2.0 * ('Q'[3] * 'Q'[2] - 'Q'[1] * 'Q'[4]), 2.0 * ('Q'[3] * 'Q'[3] + 'Q'[4] * 'Q'[4]) - 1.0}};
    annotation(Inline = true);
  end 'Modelica.Mechanics.MultiBody.Frames.Quaternions.to_T';

  function 'Modelica.Mechanics.MultiBody.Frames.Quaternions.to_T_inv'
    input Real 'Q'[4];
    output Real 'T_inv'[3, 3];
  algorithm
    'T_inv' := transpose('Modelica.Mechanics.MultiBody.Frames.Quaternions.to_T'('Q'));
    annotation(Inline = true);
  end 'Modelica.Mechanics.MultiBody.Frames.Quaternions.to_T_inv';

  function 'Modelica.Mechanics.MultiBody.Frames.Quaternions.from_T' "Quaternion of a matrix, that of the two which is nearer to a guess"
    input Real 'T'[3, 3];
    input Real 'Q_guess'[4] = {0.0, 0.0, 0.0, 1.0};
    output Real 'Q'[4];
    Real 's'[4] "Four times the squares of the elements";
    Integer 'k';
  algorithm
    's' := {1.0 + 'T'[1, 1] - 'T'[2, 2] - 'T'[3, 3], 1.0 - 'T'[1, 1] + 'T'[2, 2] - 'T'[3, 3], 1.0 - 'T'[1, 1] - 'T'[2, 2] + 'T'[3, 3], 1.0 + 'T'[1, 1] + 'T'[2, 2] + 'T'[3, 3]};
    'k' := 4;
    for 'i' in 1:3 loop
      if 's'['i'] > 's'['k'] then
        'k' := 'i';
      end if;
    end for;
    // The row of the products of the largest element with all of them.
    'Q' := if 'k' == 1 then {'s'[1], 'T'[1, 2] + 'T'[2, 1], 'T'[1, 3] + 'T'[3, 1], 'T'[2, 3] - 'T'[3, 2]} else if 'k' == 2 then {'T'[1, 2] + 'T'[2, 1], 's'[2], 'T'[2, 3] + 'T'[3, 2], 'T'[3, 1] - 'T'[1, 3]} else if 'k' == 3 then {'T'[1, 3] + 'T'[3, 1], 'T'[2, 3] + 'T'[3, 2], 's'[3], 'T'[1, 2] - 'T'[2, 1]} else {'T'[2, 3] - 'T'[3, 2], 'T'[3, 1] - 'T'[1, 3], 'T'[1, 2] - 'T'[2, 1], 's'[4]};
    'Q' := 'Q' / (2.0 * sqrt('s'['k']));
    if 'Q' * 'Q_guess' < 0.0 then
      'Q' := -'Q';
    end if;
  end 'Modelica.Mechanics.MultiBody.Frames.Quaternions.from_T';

  function 'Modelica.Mechanics.MultiBody.Frames.Quaternions.from_T_inv'
    input Real 'T_inv'[3, 3];
    input Real 'Q_guess'[4] = {0.0, 0.0, 0.0, 1.0};
    output Real 'Q'[4];
  algorithm
    'Q' := 'Modelica.Mechanics.MultiBody.Frames.Quaternions.from_T'(transpose('T_inv'), 'Q_guess');
  end 'Modelica.Mechanics.MultiBody.Frames.Quaternions.from_T_inv';

  function 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.from_Q'
    input Real 'Q'[4];
    output Real 'T'[3, 3];
  algorithm
    'T' := 'Modelica.Mechanics.MultiBody.Frames.Quaternions.to_T'('Q');
    annotation(Inline = true);
  end 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.from_Q';

  function 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.to_Q'
    input Real 'T'[3, 3];
    input Real 'Q_guess'[4] = {0.0, 0.0, 0.0, 1.0};
    output Real 'Q'[4];
  algorithm
    'Q' := 'Modelica.Mechanics.MultiBody.Frames.Quaternions.from_T'('T', 'Q_guess');
  end 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.to_Q';

  function 'Modelica.Mechanics.MultiBody.Frames.from_Q'
    input Real 'Q'[4];
    input Real 'w'[3];
    output 'Modelica.Mechanics.MultiBody.Frames.Orientation' 'R';
  algorithm
    'R'.'T' := 'Modelica.Mechanics.MultiBody.Frames.Quaternions.to_T'('Q');
    'R'.'w' := 'w';
    annotation(Inline = true);
  end 'Modelica.Mechanics.MultiBody.Frames.from_Q';

  function 'Modelica.Mechanics.MultiBody.Frames.to_Q'
    input 'Modelica.Mechanics.MultiBody.Frames.Orientation' 'R';
    input Real 'Q_guess'[4] = {0.0, 0.0, 0.0, 1.0};
    output Real 'Q'[4];
  algorithm
    'Q' := 'Modelica.Mechanics.MultiBody.Frames.Quaternions.from_T'('R'.'T', 'Q_guess');
  end 'Modelica.Mechanics.MultiBody.Frames.to_Q';

  function 'Modelica.Mechanics.MultiBody.Frames.Internal.resolve1_der'
    input 'Modelica.Mechanics.MultiBody.Frames.Orientation' 'R';
    input Real 'v2'[3];
    input Real 'v2_der'[3];
    output Real 'v1_der'[3];
  algorithm
    'v1_der' := transpose('R'.'T') * ('v2_der' + cross('R'.'w', 'v2'));
  end 'Modelica.Mechanics.MultiBody.Frames.Internal.resolve1_der';

  function 'Modelica.Mechanics.MultiBody.Frames.Internal.resolve2_der'
    input 'Modelica.Mechanics.MultiBody.Frames.Orientation' 'R';
    input Real 'v1'[3];
    input Real 'v1_der'[3];
    output Real 'v2_der'[3];
  algorithm
    'v2_der' := 'R'.'T' * 'v1_der' - cross('R'.'w', 'R'.'T' * 'v1');
  end 'Modelica.Mechanics.MultiBody.Frames.Internal.resolve2_der';

  function 'Modelica.Mechanics.MultiBody.Frames.Internal.resolveRelative_der'
    input Real 'v1'[3];
    input 'Modelica.Mechanics.MultiBody.Frames.Orientation' 'R1';
    input 'Modelica.Mechanics.MultiBody.Frames.Orientation' 'R2';
    input Real 'v1_der'[3];
    output Real 'v2_der'[3];
  algorithm
    'v2_der' := 'R2'.'T' * (transpose('R1'.'T') * ('v1_der' + cross('R1'.'w', 'v1'))) - cross('R2'.'w', 'R2'.'T' * (transpose('R1'.'T') * 'v1'));
  end 'Modelica.Mechanics.MultiBody.Frames.Internal.resolveRelative_der';

  function 'Modelica.Mechanics.MultiBody.Frames.Internal.maxWithoutEvent'
    input Real 'u1';
    input Real 'u2';
    output Real 'y';
  algorithm
    'y' := if 'u1' > 'u2' then 'u1' else 'u2';
    annotation(derivative = 'Modelica.Mechanics.MultiBody.Frames.Internal.maxWithoutEvent_d');
  end 'Modelica.Mechanics.MultiBody.Frames.Internal.maxWithoutEvent';

  function 'Modelica.Mechanics.MultiBody.Frames.Internal.maxWithoutEvent_d'
    input Real 'u1';
    input Real 'u2';
    input Real 'u1_d';
    input Real 'u2_d';
    output Real 'y_d';
  algorithm
    'y_d' := if 'u1' > 'u2' then 'u1_d' else 'u2_d';
    annotation(derivative(order = 2) = 'Modelica.Mechanics.MultiBody.Frames.Internal.maxWithoutEvent_dd');
  end 'Modelica.Mechanics.MultiBody.Frames.Internal.maxWithoutEvent_d';

  function 'Modelica.Mechanics.MultiBody.Frames.Internal.maxWithoutEvent_dd'
    input Real 'u1';
    input Real 'u2';
    input Real 'u1_d';
    input Real 'u2_d';
    input Real 'u1_dd';
    input Real 'u2_dd';
    output Real 'y_dd';
  algorithm
    'y_dd' := if 'u1' > 'u2' then 'u1_dd' else 'u2_dd';
  end 'Modelica.Mechanics.MultiBody.Frames.Internal.maxWithoutEvent_dd';
end 'Library';
