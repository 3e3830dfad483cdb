model NoParameter
  parameter Real p;
  Real x = p*time;
end NoParameter;
//! expect
// error[F018]: the parameter `p` has no value
//   ┌─ parameter_without_value.mo:2:18
//   │
// 2 │   parameter Real p;
//   │                  ^ it is used, but has neither a binding nor a start value
//   │
//   = hint: give it a value: `parameter Real p = 1`
//
