model Bound
  Real x = time;
  parameter Real p = 2*x;
end Bound;
//! expect
// error[F014]: the parameter `p` depends on the variable `x`
//   ┌─ parameter_bound_to_a_variable.mo:3:24
//   │
// 3 │   parameter Real p = 2*x;
//   │                        ^ a parameter cannot depend on this
//
