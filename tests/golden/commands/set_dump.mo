// What is given replaces what is written, also for commands that do not run the model.
//! shown dump MODEL --pass flat --set a=5,m=fast,v[2]=7,x.start=3
//! shown check MODEL --set n=4
model SetDump
  type Mode = enumeration(slow, fast);
  parameter Real a = 2;
  parameter Integer n = 2;
  parameter Mode m = Mode.slow;
  parameter Real v[n] = fill(a, n);
  final parameter Real c = 3*a;
  Real x[n](each start = 1, each fixed = true);
equation
  for i in 1:n loop
    der(x[i]) = if m == Mode.fast then -c*x[i] else v[i];
  end for;
end SetDump;
//! expect
// exit code 0
// model SetDump
//   type SetDump.Mode = enumeration(slow, fast)
//   parameter Real a = 5.0
//   parameter Integer n = 2
//   parameter SetDump.Mode m = SetDump.Mode.fast
//   parameter Real[2] v = {fill(a, n)[1], 7.0} /* {5.0, 7.0} */
//   final parameter Real c = 3.0 * a /* 15.0 */
//   Real[2] x(start = 3.0, fixed = true)
// equation
//   for i in 1:n loop
//     der(x[i]) = if m == SetDump.Mode.fast then -c * x[i] else v[i]
//   end for
// end SetDump
// exit code 0
// model SetDump
//   equations                         4
//   unknowns                          4
//   eliminated aliases                0
//   continuous states                 4
//     x[1]
//     x[2]
//     x[3]
//     x[4]
//   event-generating relations        0
//   linear systems                    {}
//     after tearing                   {}
//   nonlinear systems                 {}
//     after tearing                   {}
//   structural index                  0
//   initial equations                 0
//   states fixed by default           0
//   nonlinear systems, initialisation {}
// files:
