model Parameter
  parameter Real p(fixed = false);
  Real y = p*time;
initial equation
  p = sqrt(-2 - time);
end Parameter;
//! expect
