model Warned
  parameter Real p(start = 1);
  Real x(start = 0, fixed = true);
equation
  der(x) = p;
  assert(x < 0.5, "x is large", AssertionLevel.warning);
end Warned;
//! expect
// warning[F017]: the parameter `p` has no value; its start value is used
//   ┌─ assertion_warning.mo:2:18
//   │
// 2 │   parameter Real p(start = 1);
//   │                  ^
//
// warning: at time 0.5: x is large
