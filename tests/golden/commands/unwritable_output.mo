// Results that cannot be written, or have no known format.
//! command run MODEL -o nowhere/a.mat
//! command run MODEL -o a.xls
//! command run MODEL --plot x=nowhere/a.svg
model UnwritableOutput
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end UnwritableOutput;
//! expect
// exit code 2
// error: cannot write `nowhere/a.mat`: No such file or directory (os error 2)
// exit code 2
// error: `a.xls` has no ending of a result file; .mat and .csv can be written
// exit code 2
// error: cannot write `nowhere/a.svg`: No such file or directory (os error 2)
// files:
