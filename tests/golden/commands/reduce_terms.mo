// A smaller model: the term that the output does not need goes, and the model is the same letter by letter otherwise. Events change their
// number without the switch; the run decides.
//! shown reduce MODEL --by terms --output x --error 1% -o r.mo
//! shown reduce r.mo --by terms --output x --error 0.001%
model ReduceTerms
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = -x + sin(time) + 1e-6*y;
  der(y) = x - y + (if x > 0.5 then 1 else 0);
  annotation(experiment(StopTime = 5, Tolerance = 1e-8));
end ReduceTerms;
//! expect
// exit code 0
// 4 of 8 terms may go:
//   line    8  estimate   9.33e-7  1e-6*y
//   line    9  estimate   4.10e-7  x
//   line    9  estimate   2.95e-6  y
//   line    9  estimate   5.23e-7  (if x > 0.5 then 1 else 0)
// error 0.0001 % of the range (asked: 1 %), found by a run of the smaller model
// equations 2 -> 2, states 2 -> 2, events 1 -> 0, 2 runs
// valid for this run only: another input, parameter or time may need what this one does not
// model in r.mo
// exit code 0
// 0 of 4 terms may go:
// error 0.0000 % of the range (asked: 0.001 %), found by a run of the smaller model
// equations 2 -> 2, states 2 -> 2, events 0 -> 0, 0 runs
// valid for this run only: another input, parameter or time may need what this one does not
// files: r.mo
