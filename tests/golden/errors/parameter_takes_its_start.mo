model Assumed
  parameter Real p(start = 2);
  Real x = p*time;
end Assumed;
//! expect
// warning[F017]: the parameter `p` has no value; its start value is used
//   ┌─ parameter_takes_its_start.mo:2:18
//   │
// 2 │   parameter Real p(start = 2);
//   │                  ^
//
