// Nothing is written onto what is read, and no two things to one file.
//! command run MODEL -o reference.csv
//! command run MODEL --reference reference.csv -o ./reference.csv
//! command run MODEL --input u.csv -o u.csv
//! command run MODEL -o r.csv --jacobian=r.csv
//! command build MODEL -o MODEL
//! command compare reference.csv reference.csv --html reference.csv
//! command run MODEL -o .
//! file u.csv time,u|0,0|1,1|
model SameFiles
  Real x(start = 1, fixed = true);
  input Real u;
equation
  der(x) = u - x;
end SameFiles;
