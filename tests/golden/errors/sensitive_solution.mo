// The Lorenz equations: errors grow by a factor of about 2.5 in a unit of time.
model SensitiveSolution
  Real x(start = 1, fixed = true);
  Real y(start = 1, fixed = true);
  Real z(start = 20, fixed = true);
equation
  der(x) = 10*(y - x);
  der(y) = x*(28 - z) - y;
  der(z) = x*y - 8/3*z;
  annotation(experiment(StopTime = 40));
end SensitiveSolution;
//! expect
// warning[R208]: the solution is so sensitive that the tolerance does not determine the result from here on at time 12.3341478
//  = errors of single steps have grown to about 52.3 % of the size of `y` at time 16.259875345808265
//  = hint: another tolerance or another tool may give another result; a smaller tolerance determines it for longer
//
