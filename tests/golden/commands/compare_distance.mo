// Distances beside the tube: at the same time, at any time.
//! file a.csv time,x|0,0|1,5|2,0|
//! file b.csv time,x|0,0|1,4|2,0|
//! shown compare b.csv a.csv --distance
model CompareDistance
  Real x = time;
end CompareDistance;
//! expect
// exit code 1
// b.csv against a.csv
// inside the tube of 0.002 at the times of the reference: 0 of 1 signals
// within 2 percent: 0 of 1 signals
// largest differences, as parts of the signal's range:
//   x                                  2.0e-1  outside
// x at time 1: 4 is not in [4.97, 5.01]
// different
// distance                                eps  same time   any time
//   x                                 1.67e-1     1.00e0     1.00e0
// files: a.csv b.csv
