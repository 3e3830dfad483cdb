// Nothing is written onto what is read, and no two things to one file.
//! file u.csv time,u|0,0|1,1|
//! command run MODEL -o reference.csv
//! command run MODEL --reference reference.csv -o ./reference.csv
//! command run MODEL --input u.csv -o u.csv
//! command run MODEL -o r.csv --jacobian=r.csv
//! command build MODEL -o MODEL
//! command compare reference.csv reference.csv --html reference.csv
//! command run MODEL -o .
model SameFiles
  Real x(start = 1, fixed = true);
  input Real u;
equation
  der(x) = u - x;
end SameFiles;
//! expect
// exit code 0
// warning: the input `u` keeps its start value; --input FILE.csv lets inputs vary
// exit code 2
// error: cannot write the result to `./reference.csv`: this file is read as the reference (`reference.csv`); choose another name
// exit code 2
// error: cannot write the result to `u.csv`: this file is read as the inputs; choose another name
// exit code 2
// error: cannot write the Jacobian to `r.csv`: the result is written to the same file
// exit code 2
// error: cannot write the simulator to `same_files.mo`: this file is read as the model; choose another name
// exit code 2
// error: cannot write the report to `reference.csv`: this file is read as the result; choose another name
// exit code 2
// error: cannot write `.`: it is a folder
// files: reference.csv u.csv
