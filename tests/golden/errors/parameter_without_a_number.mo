model Parameter
  parameter Real p(fixed = false);
  Real y = p*time;
initial equation
  p = sqrt(-2 - time);
end Parameter;
//! expect
// error[R101]: the initial values cannot be determined at time 0
//   ┌─ parameter_without_a_number.mo:5:3
//   │
// 5 │   p = sqrt(-2 - time);
//   │   ^^^^^^^^^^^^^^^^^^^ p is not a number: the square root of -2
//
