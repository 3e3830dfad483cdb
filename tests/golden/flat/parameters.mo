// Parameters are evaluated in dependency order; sizes follow from them.
model Parameters
  parameter Real b = 2*a;
  parameter Real a = 3;
  parameter Integer n = 2;
  Real x[n](each start = b);
equation
  for i in 1:n loop
    der(x[i]) = -i*x[i];
  end for;
end Parameters;
//! expect
// model Parameters
//   parameter Real b = 2.0 * a /* 6.0 */
//   parameter Real a = 3.0
//   parameter Integer n = 2
//   Real[2] x(start = b)
// equation
//   for i in 1:n loop
//     der(x[i]) = -/*Real*/(i) * x[i]
//   end for
// end Parameters
