model Circular
  parameter Real a = 2*b;
  parameter Real b = a + 1;
  Real x = a;
end Circular;
//! expect
// error[F015]: 2 declarations depend on each other in a circle
//   ┌─ circular_parameters.mo:2:18
//   │
// 2 │   parameter Real a = 2*b;
//   │                  ^ needs its own value
//   │
//   = the circle is `a`, `b`
//
