//! command run MODEL -r=x.plt
//! command run MODEL -w
//! command run MODEL -o x.plt
//! command run MODEL --start-time -1 --stop-time 1 -o x.csv
//! command run MODEL --solver cvode -o x.csv
//! command run MODEL --at 5 --decouple -o x.csv
//! shown run MODEL --interval 0 --json
//! shown run MODEL -r=x.plt --json
//! shown run --json
model Ignored
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end Ignored;
//! expect
// exit code 2
// error: unexpected argument '-r' found
//
//   tip: to pass '-r' as a value, use '-- -r'
//
// Usage: partita run [OPTIONS] <FILE>
//
// For more information, try '--help'.
//
// hint: `--output FILE` names the result
// exit code 2
// error: unexpected argument '-w' found
//
//   tip: to pass '-w' as a value, use '-- -w'
//
// Usage: partita run [OPTIONS] <FILE>
//
// For more information, try '--help'.
//
// hint: all warnings are shown
// exit code 2
// error: `x.plt` has no ending of a result file; .mat and .csv can be written
// exit code 0
// exit code 0
// note: `cvode` is a method of OpenModelica; bdf takes its place
// exit code 2
// error: --at 5 is not between 0 and 1, where the run is
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
//       "notes": [
//         "tip: to pass '-r' as a value, use '-- -r'\n\nUsage: partita run [OPTIONS] <FILE>\n\nFor more information, try '--help'.",
//         "`--output FILE` names the result"
//       ],
//       "severity": "error",
//       "title": "unexpected argument '-r' found"
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
//       "notes": [
//         "<FILE>\n\nUsage: partita run --json <FILE>\n\nFor more information, try '--help'."
//       ],
//       "severity": "error",
//       "title": "the following required arguments were not provided:"
//     }
//   ]
// }
// files: x.csv
