// Signals that are not there, parameters that text does not have, an end that comes later.
model Decay
  parameter Real k = 2;
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -k*x;
  y = 3*x;
end Decay;
//! file signals.txt x|y|z
//! file tabs.csv time	x|0	1|0.5	0.36787944|1	0.13533528
//! file quoted.csv time,x|"0,5","1,5"
//! command run MODEL -o long.csv --stop-time 2 --intervals 100
//! command run MODEL -o all.mat --intervals 50
//! shown compare long.csv all.mat
//! shown compare all.mat long.csv --signals x|y
//! shown compare all.mat all.mat --signals signals.txt
//! shown compare all.mat all.mat --signals nothing.txt
//! shown compare quoted.csv all.mat
//! shown compare MODEL all.mat
//! shown compare all.mat tabs.csv --rule two-percent
//! command run MODEL -o again.csv --reference all.mat --set k=2.02
//! expect
// exit code 0
// exit code 0
// exit code 0
// long.csv against all.mat
// inside the tube of 0.002 at the times of the reference: 3 of 3 signals
// within 2 percent: 3 of 3 signals
// left out: 1 of the parameters of the reference, which text files do not have; a .mat result has them
// largest differences, as parts of the signal's range:
//   y                                  2.6e-8
//   x                                  2.6e-8
//   der(x)                             2.6e-8
// remark: the result goes on until time 2; the reference ends at 1 and says nothing about what comes later
// the same
// exit code 1
// all.mat against long.csv
// inside the tube of 0.002 at the times of the reference: 0 of 2 signals
// within 2 percent: 0 of 2 signals
// largest differences, as parts of the signal's range:
//   x                                  1.2e-1  outside
//   y                                  1.2e-1  outside
// y at time 2: 0.406006655 is not in [0.0490570594, 0.0612857578]
// x at time 2: 0.135335552 is not in [0.0163523531, 0.0204285859]
// the result ends at time 1, the reference at 2
// remark: the result has 51 times, the reference 101: a coarser result may miss what lies between; `run --intervals 100` gives as many
// different
// exit code 0
// all.mat against all.mat
// inside the tube of 0.002 at the times of the reference: 2 of 2 signals
// within 2 percent: 2 of 2 signals
// not in the reference: z
// largest differences, as parts of the signal's range:
//   x                                   0.0e0
//   y                                   0.0e0
// the same
// exit code 2
// error: all.mat has no signal whose whole name matches `nothing.txt` (and no file has this name)
// exit code 2
// error: `quoted.csv` is not a result file that can be read: line 2: the quotes of `"0` hold a `,`; numbers have decimal points, and only these
// exit code 2
// error: `compare_files.mo` has no ending of a result file; .mat, .csv and .plt can be read
// exit code 0
// all.mat against tabs.csv
// within 2 percent: 1 of 1 signals
// largest differences, as parts of the signal's range:
//   x                                  3.1e-7
// the same
// exit code 1
// files: again.csv all.mat long.csv quoted.csv signals.txt tabs.csv
