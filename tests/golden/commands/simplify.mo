// What could take the place of a model: nothing is applied; a row is written only if it is asked for and applies.
//! command simplify MODEL --for small --output x --html s.html
//! command simplify MODEL --for order --output x --error 1% --use 1 -o r.mo
//! command run r.mo -o r.csv
//! command simplify MODEL --for small --output x --use 1 -o c.mo
//! command simplify MODEL --for small --output x --use 7
//! command simplify MODEL --for beauty --output x
//! command simplify MODEL --for small --output w
//! command simplify MODEL --for small --output x -o r.mo
model Simplify
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = -x + sin(time) + 1e-6*y;
  der(y) = x - 50*y;
  annotation(experiment(StopTime = 5, Tolerance = 1e-8));
end Simplify;
//! expect
// exit code 0
// exit code 0
// exit code 0
// exit code 2
// error: --use 1: components does not apply: the model Simplify has no connectors: there are no components to rank
// exit code 2
// error: --use 7: the table has 3 rows
// exit code 2
// error: invalid value 'beauty' for '--for <PURPOSE>': there is no purpose `beauty`; there are fast, small, insight, order
//
// For more information, try '--help'.
// exit code 1
// error[C107]: the model has no variable `w`
//  = it has `x`, `y`, `der(x)`, `der(y)`
//
//
// exit code 2
// error: the following required arguments were not provided:
//   --use <ROW>
//
// Usage: partita simplify --for <PURPOSE> --output <NAME> --use <ROW> --write <FILE.mo> <FILE>
//
// For more information, try '--help'.
// files: r.csv r.mo s.html
