// A name in --set that the model does not have: near ones are shown.
//! command run MODEL --set resistence=2
model SetUnknown
  parameter Real resistance = 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = -resistance*x;
end SetUnknown;
//! expect
// exit code 2
// error[F037]: the model has no parameter or variable `resistence`
//  = hint: similar: resistance
//
//
// files:
