//! base 0.1.0
// Linear algebra under the names of LAPACK's routines, for matrices of few rows, and small functions of vectors and numbers.
package 'Library'
  function 'Modelica.Math.Matrices.LAPACK.dgetrf' "Factors of a matrix with exchange of rows; info is the first column without a pivot, 0 if there is none"
    input Real 'A'[:, :];
    output Real 'LU'[size('A', 1), size('A', 2)];
    output Integer 'pivots'[min(size('A', 1), size('A', 2))];
    output Integer 'info';
    Integer 'best';
    Real 'keep';
    Real 'factor';
  algorithm
    'LU' := 'A';
    'info' := 0;
    for 'k' in 1:min(size('A', 1), size('A', 2)) loop
      'best' := 'k';
      for 'i' in 'k' + 1:size('A', 1) loop
        if abs('LU'['i', 'k']) > abs('LU'['best', 'k']) then
          'best' := 'i';
        end if;
      end for;
      'pivots'['k'] := 'best';
      if abs('LU'['best', 'k']) > 0.0 then
        for 'j' in 1:size('A', 2) loop
          'keep' := 'LU'['k', 'j'];
          'LU'['k', 'j'] := 'LU'['best', 'j'];
          'LU'['best', 'j'] := 'keep';
        end for;
        for 'i' in 'k' + 1:size('A', 1) loop
          'factor' := 'LU'['i', 'k'] / 'LU'['k', 'k'];
          'LU'['i', 'k'] := 'factor';
          for 'j' in 'k' + 1:size('A', 2) loop
            'LU'['i', 'j'] := 'LU'['i', 'j'] - 'factor' * 'LU'['k', 'j'];
          end for;
        end for;
      elseif 'info' == 0 then
        'info' := 'k';
      end if;
    end for;
  end 'Modelica.Math.Matrices.LAPACK.dgetrf';

  function 'Modelica.Math.Matrices.LAPACK.dgetrs_vec' "Solution from the factors of a matrix"
    input Real 'LU'[:, size('LU', 1)];
    input Integer 'pivots'[size('LU', 1)];
    input Real 'b'[size('LU', 1)];
    output Real 'x'[size('LU', 1)];
    output Integer 'info';
    Real 'keep';
    Integer 'n' = size('LU', 1);
    Integer 'i';
  algorithm
    'x' := 'b';
    'info' := 0;
    for 'k' in 1:'n' loop
      'keep' := 'x'['k'];
      'x'['k'] := 'x'['pivots'['k']];
      'x'['pivots'['k']] := 'keep';
    end for;
    for 'k' in 1:'n' loop
      for 'j' in 1:'k' - 1 loop
        'x'['k'] := 'x'['k'] - 'LU'['k', 'j'] * 'x'['j'];
      end for;
    end for;
    for 'l' in 1:'n' loop
      'i' := 'n' + 1 - 'l';
      for 'j' in 'i' + 1:'n' loop
        'x'['i'] := 'x'['i'] - 'LU'['i', 'j'] * 'x'['j'];
      end for;
      'x'['i'] := 'x'['i'] / 'LU'['i', 'i'];
    end for;
  end 'Modelica.Math.Matrices.LAPACK.dgetrs_vec';

  function 'Modelica.Math.Matrices.LAPACK.dgetrs' "Solutions from the factors of a matrix, column by column"
    input Real 'LU'[:, size('LU', 1)];
    input Integer 'pivots'[size('LU', 1)];
    input Real 'B'[size('LU', 1), :];
    output Real 'X'[size('B', 1), size('B', 2)];
    output Integer 'info';
  algorithm
    'info' := 0;
    for 'j' in 1:size('B', 2) loop
      'X'[:, 'j'] := 'Modelica.Math.Matrices.LAPACK.dgetrs_vec'('LU', 'pivots', 'B'[:, 'j']);
    end for;
  end 'Modelica.Math.Matrices.LAPACK.dgetrs';

  function 'Modelica.Math.Matrices.LAPACK.dgetri' "Inverse from the factors of a matrix"
    input Real 'LU'[:, size('LU', 1)];
    input Integer 'pivots'[size('LU', 1)];
    output Real 'inv'[size('LU', 1), size('LU', 2)];
    output Integer 'info';
  algorithm
    'info' := 0;
    for 'k' in 1:size('LU', 1) loop
      if abs('LU'['k', 'k']) <= 0.0 and 'info' == 0 then
        'info' := 'k';
      end if;
    end for;
    'inv' := if 'info' == 0 then 'Modelica.Math.Matrices.LAPACK.dgetrs'('LU', 'pivots', identity(size('LU', 1))) else 'LU';
  end 'Modelica.Math.Matrices.LAPACK.dgetri';

  function 'Modelica.Math.Matrices.LAPACK.dgesv_vec' "Solution of linear equations; info is the first column without a pivot, 0 if there is none"
    input Real 'A'[:, size('A', 1)];
    input Real 'b'[size('A', 1)];
    output Real 'x'[size('A', 1)];
    output Integer 'info';
    Real 'LU'[size('A', 1), size('A', 1)];
    Integer 'pivots'[size('A', 1)];
  algorithm
    ('LU', 'pivots', 'info') := 'Modelica.Math.Matrices.LAPACK.dgetrf'('A');
    'x' := if 'info' == 0 then 'Modelica.Math.Matrices.LAPACK.dgetrs_vec'('LU', 'pivots', 'b') else 'b';
  end 'Modelica.Math.Matrices.LAPACK.dgesv_vec';

  function 'Modelica.Math.Matrices.LAPACK.dgesv' "Solution of linear equations, column by column; info is the first column without a pivot, 0 if there is none"
    input Real 'A'[:, size('A', 1)];
    input Real 'B'[size('A', 1), :];
    output Real 'X'[size('B', 1), size('B', 2)];
    output Integer 'info';
    Real 'LU'[size('A', 1), size('A', 1)];
    Integer 'pivots'[size('A', 1)];
  algorithm
    ('LU', 'pivots', 'info') := 'Modelica.Math.Matrices.LAPACK.dgetrf'('A');
    'X' := if 'info' == 0 then 'Modelica.Math.Matrices.LAPACK.dgetrs'('LU', 'pivots', 'B') else 'B';
  end 'Modelica.Math.Matrices.LAPACK.dgesv';

  function 'Modelica.Math.Matrices.LAPACK.dgels_vec' "Least squares for a matrix of full rank; the shortest solution where there are several; info is the first column that depends on those before it, 0 if there is none"
    input Real 'A'[:, :];
    input Real 'b'[size('A', 1)];
    output Real 'x'[max(size('A', 1), size('A', 2))];
    output Integer 'info';
    Integer 'rank';
  algorithm
    ('x', 'info', 'rank') := 'Modelica.Math.Matrices.LAPACK.dgelsy_vec'('A', 'b', 1.0e-13);
  end 'Modelica.Math.Matrices.LAPACK.dgels_vec';

  function 'Modelica.Math.Matrices.LAPACK.dgelsy_vec' "Least squares for a matrix of full rank; the shortest solution where there are several; info is the first column that depends on those before it, 0 if there is none"
    input Real 'A'[:, :];
    input Real 'b'[size('A', 1)];
    input Real 'rcond' = 0.0;
    output Real 'x'[max(size('A', 1), size('A', 2))];
    output Integer 'info';
    output Integer 'rank';
    Real 'Q'[size('A', 1), size('A', 2)];
    Real 'R'[size('A', 2), size('A', 2)];
    Real 'y'[size('A', 1)];
    Real 'w';
    Integer 'n' = size('A', 2);
  algorithm
    'info' := 0;
    'rank' := min(size('A', 1), size('A', 2));
    'x' := zeros(max(size('A', 1), size('A', 2)));
    if size('A', 1) < 'n' then
      ('y', 'info') := 'Modelica.Math.Matrices.LAPACK.dgesv_vec'('A' * transpose('A'), 'b');
      'x'[1:size('A', 2)] := transpose('A') * 'y';
    else
      // Gram and Schmidt, twice for each column, so that the columns are orthogonal to rounding.
      'Q' := 'A';
      'R' := zeros(size('A', 2), size('A', 2));
      for 'j' in 1:'n' loop
        for 'k' in 1:2 loop
          for 'i' in 1:'j' - 1 loop
            'w' := 'Q'[:, 'i'] * 'Q'[:, 'j'];
            'R'['i', 'j'] := 'R'['i', 'j'] + 'w';
            'Q'[:, 'j'] := 'Q'[:, 'j'] - 'w' * 'Q'[:, 'i'];
          end for;
        end for;
        'R'['j', 'j'] := sqrt('Q'[:, 'j'] * 'Q'[:, 'j']);
        if 'info' == 0 and 'R'['j', 'j'] <= 'rcond' * sqrt('A'[:, 'j'] * 'A'[:, 'j']) then
          'info' := 'j';
        end if;
        'Q'[:, 'j'] := if 'info' == 0 then 'Q'[:, 'j'] / 'R'['j', 'j'] else 'Q'[:, 'j'];
      end for;
      if 'info' == 0 then
        for 'l' in 1:'n' loop
          'w' := 'Q'[:, 'n' + 1 - 'l'] * 'b';
          for 'i' in 'n' + 2 - 'l':'n' loop
            'w' := 'w' - 'R'['n' + 1 - 'l', 'i'] * 'x'['i'];
          end for;
          'x'['n' + 1 - 'l'] := 'w' / 'R'['n' + 1 - 'l', 'n' + 1 - 'l'];
        end for;
      else
        'rank' := 'info' - 1;
      end if;
    end if;
  end 'Modelica.Math.Matrices.LAPACK.dgelsy_vec';

  function 'Modelica.Math.Matrices.LAPACK.dgglse_vec' "Least squares with linear equations that hold, by Lagrange's multipliers; info is the first column without a pivot, 0 if there is none"
    input Real 'A'[:, :];
    input Real 'c'[size('A', 1)];
    input Real 'B'[:, size('A', 2)];
    input Real 'd'[size('B', 1)];
    output Real 'x'[size('A', 2)];
    output Integer 'info';
    Real 'K'[size('A', 2) + size('B', 1), size('A', 2) + size('B', 1)];
    Real 'y'[size('A', 2) + size('B', 1)];
  algorithm
    'K' := cat(1, cat(2, transpose('A') * 'A', transpose('B')), cat(2, 'B', zeros(size('B', 1), size('B', 1))));
    ('y', 'info') := 'Modelica.Math.Matrices.LAPACK.dgesv_vec'('K', cat(1, transpose('A') * 'c', 'd'));
    'x' := 'y'[1:size('A', 2)];
  end 'Modelica.Math.Matrices.LAPACK.dgglse_vec';

  function 'Modelica.Math.Matrices.LAPACK.dgtsv_vec' "Solution of equations with a matrix of three diagonals; info is the first row without a pivot, 0 if there is none"
    input Real 'superdiag'[:];
    input Real 'diag'[size('superdiag', 1) + 1];
    input Real 'subdiag'[size('superdiag', 1)];
    input Real 'b'[size('diag', 1)];
    output Real 'x'[size('diag', 1)];
    output Integer 'info';
    Real 'A'[size('diag', 1), size('diag', 1)];
  algorithm
    'A' := diagonal('diag');
    for 'i' in 1:size('superdiag', 1) loop
      'A'['i', 'i' + 1] := 'superdiag'['i'];
      'A'['i' + 1, 'i'] := 'subdiag'['i'];
    end for;
    ('x', 'info') := 'Modelica.Math.Matrices.LAPACK.dgesv_vec'('A', 'b');
  end 'Modelica.Math.Matrices.LAPACK.dgtsv_vec';

  function 'Modelica.Math.Matrices.LAPACK.dpotrf' "Factor of Cholesky; info is the first column that is not positive, 0 if there is none"
    input Real 'A'[:, size('A', 1)];
    input Boolean 'upper' = true;
    output Real 'Acholesky'[size('A', 1), size('A', 1)];
    output Integer 'info';
    Real 'U'[size('A', 1), size('A', 1)];
    Real 'w';
  algorithm
    'U' := if 'upper' then 'A' else transpose('A');
    'info' := 0;
    for 'k' in 1:size('A', 1) loop
      'w' := 'U'['k', 'k'];
      for 'i' in 1:'k' - 1 loop
        'w' := 'w' - 'U'['i', 'k'] ^ 2;
      end for;
      if 'w' <= 0.0 then
        'info' := if 'info' == 0 then 'k' else 'info';
        'w' := 1.0;
      end if;
      'U'['k', 'k'] := sqrt('w');
      for 'j' in 'k' + 1:size('A', 1) loop
        'w' := 'U'['k', 'j'];
        for 'i' in 1:'k' - 1 loop
          'w' := 'w' - 'U'['i', 'k'] * 'U'['i', 'j'];
        end for;
        'U'['k', 'j'] := 'w' / 'U'['k', 'k'];
      end for;
    end for;
    'Acholesky' := if 'upper' then 'U' else transpose('U');
  end 'Modelica.Math.Matrices.LAPACK.dpotrf';

  function 'Modelica.Math.Matrices.LU' "Factors of a matrix with exchange of rows"
    input Real 'A'[:, :];
    output Real 'LU'[size('A', 1), size('A', 2)];
    output Integer 'pivots'[min(size('A', 1), size('A', 2))];
    output Integer 'info';
  algorithm
    ('LU', 'pivots', 'info') := 'Modelica.Math.Matrices.LAPACK.dgetrf'('A');
  end 'Modelica.Math.Matrices.LU';

  function 'Modelica.Math.Matrices.LU_solve' "Solution from the factors of a matrix"
    input Real 'LU'[:, size('LU', 1)];
    input Integer 'pivots'[size('LU', 1)];
    input Real 'b'[size('LU', 1)];
    output Real 'x'[size('LU', 1)];
  algorithm
    for 'i' in 1:size('LU', 1) loop
      assert(abs('LU'['i', 'i']) > 0.0, "the system of linear equations is singular", AssertionLevel.error);
    end for;
    'x' := 'Modelica.Math.Matrices.LAPACK.dgetrs_vec'('LU', 'pivots', 'b');
  end 'Modelica.Math.Matrices.LU_solve';

  function 'Modelica.Math.Matrices.LU_solve2' "Solutions from the factors of a matrix"
    input Real 'LU'[:, size('LU', 1)];
    input Integer 'pivots'[size('LU', 1)];
    input Real 'B'[size('LU', 1), :];
    output Real 'X'[size('B', 1), size('B', 2)];
  algorithm
    for 'i' in 1:size('LU', 1) loop
      assert(abs('LU'['i', 'i']) > 0.0, "the system of linear equations is singular", AssertionLevel.error);
    end for;
    'X' := 'Modelica.Math.Matrices.LAPACK.dgetrs'('LU', 'pivots', 'B');
  end 'Modelica.Math.Matrices.LU_solve2';

  function 'Modelica.Math.Matrices.det' "Determinant: the product of the pivots"
    input Real 'A'[:, size('A', 1)];
    output Real 'result';
    Real 'LU'[size('A', 1), size('A', 1)];
    Integer 'pivots'[size('A', 1)];
    Integer 'info';
  algorithm
    ('LU', 'pivots', 'info') := 'Modelica.Math.Matrices.LAPACK.dgetrf'('A');
    'result' := 1.0;
    for 'i' in 1:size('A', 1) loop
      'result' := if 'pivots'['i'] == 'i' then 'result' * 'LU'['i', 'i'] else -'result' * 'LU'['i', 'i'];
    end for;
  end 'Modelica.Math.Matrices.det';

  function 'Modelica.Math.Matrices.trace' "Sum of the diagonal"
    input Real 'A'[:, size('A', 1)];
    output Real 'result';
  algorithm
    'result' := sum('A'['i', 'i'] for 'i' in 1:size('A', 1));
  end 'Modelica.Math.Matrices.trace';

  function 'Modelica.Math.Matrices.frobeniusNorm' "Root of the sum of all squares"
    input Real 'A'[:, :];
    output Real 'result';
  algorithm
    'result' := sqrt(sum('A' .* 'A'));
  end 'Modelica.Math.Matrices.frobeniusNorm';

  function 'Modelica.Math.Matrices.isEqual' "Whether two matrices have the same sizes and elements"
    input Real 'M1'[:, :];
    input Real 'M2'[:, :];
    input Real 'eps' = 0.0;
    output Boolean 'result';
  algorithm
    'result' := size('M1', 1) == size('M2', 1) and size('M1', 2) == size('M2', 2);
    if size('M1', 1) == size('M2', 1) and size('M1', 2) == size('M2', 2) then
      for 'i' in 1:size('M1', 1) loop
        for 'j' in 1:size('M1', 2) loop
          'result' := 'result' and abs('M1'['i', 'j'] - 'M2'['i', 'j']) <= 'eps';
        end for;
      end for;
    end if;
  end 'Modelica.Math.Matrices.isEqual';

  function 'Modelica.Math.Vectors.isEqual' "Whether two vectors have the same size and elements"
    input Real 'v1'[:];
    input Real 'v2'[:];
    input Real 'eps' = 0.0;
    output Boolean 'result';
  algorithm
    'result' := size('v1', 1) == size('v2', 1);
    if size('v1', 1) == size('v2', 1) then
      for 'i' in 1:size('v1', 1) loop
        'result' := 'result' and abs('v1'['i'] - 'v2'['i']) <= 'eps';
      end for;
    end if;
  end 'Modelica.Math.Vectors.isEqual';

  function 'Modelica.Math.Vectors.norm' "Norm of order p; the largest magnitude for p = 1e60, as the library writes infinity"
    input Real 'v'[:];
    input Real 'p' = 2.0;
    output Real 'result';
  algorithm
    assert('p' >= 1.0, "the order of a norm is at least 1", AssertionLevel.error);
    if 'p' == 2.0 then
      'result' := sqrt('v' * 'v');
    elseif 'p' >= 1e60 then
      'result' := max(abs('v'));
    elseif 'p' == 1.0 then
      'result' := sum(abs('v'));
    else
      'result' := sum(abs('v'['i']) ^ 'p' for 'i' in 1:size('v', 1)) ^ (1.0 / 'p');
    end if;
  end 'Modelica.Math.Vectors.norm';

  function 'Modelica.Math.Vectors.find' "Position of the first element that has a value, 0 if there is none"
    input Real 'e';
    input Real 'v'[:];
    input Real 'eps' = 0.0;
    output Integer 'result';
  algorithm
    'result' := 0;
    for 'l' in 1:size('v', 1) loop
      if abs('v'[size('v', 1) + 1 - 'l'] - 'e') <= 'eps' then
        'result' := size('v', 1) + 1 - 'l';
      end if;
    end for;
  end 'Modelica.Math.Vectors.find';

  function 'Modelica.Math.Vectors.interpolate' "Straight lines between points, and beyond the last ones; also the interval"
    input Real 'x'[:];
    input Real 'y'[size('x', 1)];
    input Real 'xi';
    input Integer 'iLast' = 1;
    output Real 'yi';
    output Integer 'iNew';
  algorithm
    'iNew' := 1;
    for 'i' in 2:size('x', 1) - 1 loop
      if 'xi' >= 'x'['i'] then
        'iNew' := 'i';
      end if;
    end for;
    if size('x', 1) == 1 then
      'yi' := 'y'[1];
    else
      assert('x'['iNew' + 1] > 'x'['iNew'], "abscissa values of an interpolation do not grow", AssertionLevel.error);
      'yi' := 'y'['iNew'] + ('y'['iNew' + 1] - 'y'['iNew']) * ('xi' - 'x'['iNew']) / ('x'['iNew' + 1] - 'x'['iNew']);
    end if;
  end 'Modelica.Math.Vectors.interpolate';

  function 'Modelica.Math.asinh' "Inverse of sinh"
    input Real 'u';
    output Real 'y';
  algorithm
    'y' := if 'u' < 0.0 then -log(-'u' + sqrt('u' * 'u' + 1.0)) else log('u' + sqrt('u' * 'u' + 1.0));
    annotation(smoothOrder = 5);
  end 'Modelica.Math.asinh';

  function 'Modelica.Math.acosh' "Inverse of cosh, not below 1"
    input Real 'u';
    output Real 'y';
  algorithm
    assert('u' >= 1.0, "acosh of a number below 1", AssertionLevel.error);
    'y' := log('u' + sqrt('u' * 'u' - 1.0));
    annotation(smoothOrder = 5);
  end 'Modelica.Math.acosh';

  function 'Modelica.Math.wrapAngle' "The angle within one turn around zero, or from zero"
    input Real 'u';
    input Boolean 'positiveRange' = false;
    output Real 'y';
  algorithm
    'y' := if 'positiveRange' then mod('u', 6.283185307179586) else mod('u' + 3.141592653589793, 6.283185307179586) - 3.141592653589793;
  end 'Modelica.Math.wrapAngle';

  function 'Modelica.Math.isEqual' "Whether two numbers are the same but for a distance"
    input Real 's1';
    input Real 's2';
    input Real 'eps' = 0.0;
    output Boolean 'result';
  algorithm
    'result' := abs('s1' - 's2') <= 'eps';
  end 'Modelica.Math.isEqual';

  function 'Modelica.Math.isPowerOf2' "Whether an integer is a power of two"
    input Integer 'i';
    output Boolean 'result';
    Integer 'n';
  algorithm
    assert('i' >= 1, "a power of two is at least 1", AssertionLevel.error);
    'n' := 1;
    while 'n' < 'i' loop
      'n' := 2 * 'n';
    end while;
    'result' := 'n' == 'i';
  end 'Modelica.Math.isPowerOf2';

  function 'Modelica.Math.tempInterpol1' "Straight lines between the rows of a table, its first column the abscissa"
    input Real 'u';
    input Real 'table'[:, :];
    input Integer 'icol';
    output Real 'y';
  algorithm
    'y' := 'Modelica.Math.Vectors.interpolate'('table'[:, 1], 'table'[:, 'icol'], 'u');
  end 'Modelica.Math.tempInterpol1';

  function 'Modelica.Math.tempInterpol2' "Straight lines between the rows of a table, its first column the abscissa"
    input Real 'u';
    input Real 'table'[:, :];
    input Integer 'icol'[:];
    output Real 'y'[1, size('icol', 1)];
  algorithm
    for 'j' in 1:size('icol', 1) loop
      'y'[1, 'j'] := 'Modelica.Math.Vectors.interpolate'('table'[:, 1], 'table'[:, 'icol'['j']], 'u');
    end for;
  end 'Modelica.Math.tempInterpol2';
end 'Library';
