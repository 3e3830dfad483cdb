// Inputs from a file: an unknown column, a value of the wrong type, a missing file, an input that has no column.
//! file good.csv time,u|0,1|1,2|
//! file unknown.csv time,uu|0,1|1,2|
//! file wrong.csv time,on|0,1|1,2|
//! file back.csv time,u|0,1|-1,2|
//! command run MODEL --input good.csv -o a.csv
//! command run MODEL --input unknown.csv
//! command run MODEL --input wrong.csv
//! command run MODEL --input back.csv
//! command run MODEL --input none.csv
model Inputs
  input Real u(start = 1);
  input Boolean on;
  Real x(start = 1, fixed = true);
equation
  der(x) = if on then u else -x;
end Inputs;
//! expect
// exit code 0
// warning: the input `on` keeps its start value; --input FILE.csv lets inputs vary
// exit code 2
// error: unknown.csv: the model has no input `uu`; similar: u
// exit code 2
// error: wrong.csv: the input `on` needs true (1) or false (0), but is 2 at time 1
// exit code 2
// error: `back.csv` is not a result file that can be read: time goes back at point 2
// exit code 2
// error: cannot read `none.csv`: No such file or directory (os error 2)
// files: a.csv back.csv good.csv unknown.csv wrong.csv
