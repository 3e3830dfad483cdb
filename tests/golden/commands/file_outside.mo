impure function removeFile
  input String fileName;
  external "C" ModelicaInternal_removeFile(fileName);
end removeFile;
impure function lines
  input String fileName;
  output Integer n;
  external "C" n = ModelicaInternal_countLines(fileName);
end lines;
model Sweeper "reads and removes files: outside the present directory only where that is allowed"
  parameter Integer what = 1 annotation(Evaluate = false);
  Real x(start = 0);
  discrete Real n(start = 0);
equation
  der(x) = 1;
algorithm
  when initial() then
    n := lines("kept.txt");
    removeFile("own.txt");
    removeFile("../partita-no-such-file.txt");
  end when;
end Sweeper;
//! file own.txt a|b|
//! file kept.txt a|b|
//! command check MODEL
//! command analyze MODEL
//! command dump --pass cycles MODEL
//! command run MODEL -o refused.csv
//! command run MODEL --allow-files nowhere -o nowhere.csv
//! command run MODEL --allow-files .. -o allowed.csv
//! expect
