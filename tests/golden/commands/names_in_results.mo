//! file y.csv "time","x","'x twice'","hidden"|0,1,2,1|1,1,2,1
//! command run MODEL -o x.csv --intervals 2
//! shown compare x.csv y.csv
//! command run MODEL -o z.csv --filter hidden --intervals 2
model Names
  Real x = 1 + 0*time;
  Real 'x twice' = 2*x "what is no identifier is quoted in results";
protected
  Real hidden = x;
end Names;
//! expect
// exit code 0
// exit code 1
// x.csv against y.csv
// inside the tube of 0.002 at the times of the reference: 2 of 2 signals
// within 2 percent: 2 of 2 signals
// largest differences, as parts of the signal's range:
//   x                                   0.0e0
//   'x twice'                           0.0e0
// missing in the result: hidden
// different
// exit code 0
// files: x.csv y.csv z.csv
