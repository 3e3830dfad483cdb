impure function remove
  input String fileName;
  external "C" ModelicaInternal_removeFile(fileName);
end remove;
impure function removed
  input String fileName;
  output Real done;
algorithm
  remove(fileName);
  done := 1;
end removed;
model Sweeper "removes files: outside the present directory only where that is allowed"
  Real x(start = 1, fixed = true), y(start = 1, fixed = true);
  discrete Real n, k;
equation
  der(x) = -x;
  der(y) = x - 100*y;
  when initial() then
    n = removed("own.txt");
    k = removed("/partita-no-such-file.txt");
  end when;
end Sweeper;
//! file own.txt a|b|
//! command check MODEL
//! command analyze MODEL --at 0
//! command dump --pass cycles MODEL
//! command run MODEL -o refused.csv
//! command run MODEL --allow-files nowhere -o nowhere.csv
//! command run MODEL --allow-files / -o allowed.csv
//! expect
// exit code 0
// exit code 1
// error[R101]: the initial values cannot be determined at time 0
//  = the file `own.txt` is not removed: models write and remove files only in `partita run` and in built simulators
//
//
// exit code 1
// error[R101]: the initial values cannot be determined at time 0
//  = the file `own.txt` is not removed: models write and remove files only in `partita run` and in built simulators
//
//
// exit code 1
// error[R101]: the initial values cannot be determined at time 0
//  = the file `/partita-no-such-file.txt` lies outside the present directory, where a model may write; `--allow-files /` allows it
//
//
// exit code 2
// error: --allow-files nowhere: there is no such directory
// exit code 0
// files: allowed.csv
