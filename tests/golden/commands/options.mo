// Options that fit neither the others nor the model are refused; names of OpenModelica's methods are noted.
//! command run MODEL --solver bdf --step 0.1
//! command run MODEL --step 0.1
//! command run MODEL --filter nothing.*
//! command run MODEL --interval 0
//! command run MODEL --intervals 0
//! command run MODEL --tolerance -1
//! command run MODEL --stop-time soon
//! command run MODEL --jacobian --jacobian-at 2
//! command run MODEL --decouple --at 2
//! command analyze MODEL --at -1
//! command run MODEL --solver dassl -o a.csv
//! command run MODEL --solver rungekutta --step 0.1 -o b.csv --start-time -1
//! shown run MODEL --interval 0 --json
//! shown run none.mo --json
//! shown dump MODEL --pass states --json
model Options
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
  annotation(experiment(StopTime = 1));
end Options;
//! expect
// exit code 2
// error: --step 0.1 is for methods with a fixed step, but bdf chooses its steps by the tolerance; --solver rk4 takes this step, --interval 0.1 gives results so often
// exit code 2
// error: --step 0.1 is for methods with a fixed step, but auto chooses its steps by the tolerance; --solver rk4 takes this step, --interval 0.1 gives results so often
// exit code 2
// error: the filter `nothing.*` matches the whole name of no variable: nothing would be written
// exit code 2
// error: invalid value '0' for '--interval <INTERVAL>': it has to be more than zero
//
// For more information, try '--help'.
// exit code 2
// error: invalid value '0' for '--intervals <INTERVALS>': expected a whole number above zero
//
// For more information, try '--help'.
// exit code 2
// error: invalid value '-1' for '--tolerance <TOLERANCE>': it has to be more than zero
//
// For more information, try '--help'.
// exit code 2
// error: invalid value 'soon' for '--stop-time <STOP_TIME>': expected a number
//
// For more information, try '--help'.
// exit code 2
// error: --jacobian-at 2 is not between 0 and 1, where the run is
// exit code 2
// error: --at 2 is not between 0 and 1, where the run is
// exit code 2
// error: --at -1 is not between 0 and 1, where the run is
// exit code 0
// note: `dassl` is a method of OpenModelica; bdf takes its place
// exit code 0
// note: `rungekutta` is a method of OpenModelica; rk4 takes its place
// exit code 2
// {
//   "diagnostics": [
//     {
//       "code": null,
//       "hint": null,
//       "labels": [],
//       "notes": [
//         "For more information, try '--help'."
//       ],
//       "severity": "error",
//       "title": "invalid value '0' for '--interval <INTERVAL>': it has to be more than zero"
//     }
//   ]
// }
// exit code 2
// {
//   "diagnostics": [
//     {
//       "code": null,
//       "hint": null,
//       "labels": [],
//       "notes": [],
//       "severity": "error",
//       "title": "cannot read none.mo: No such file or directory (os error 2)"
//     }
//   ]
// }
// exit code 0
// {
//   "pass": "states",
//   "text": "states\n  x, derivative der(x)\n"
// }
// files: a.csv b.csv
