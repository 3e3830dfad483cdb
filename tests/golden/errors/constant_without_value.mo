model NoConstant
  constant Real c;
  Real x = c*time;
end NoConstant;
//! expect
// error[F016]: the constant `c` has no value
//   ┌─ constant_without_value.mo:2:17
//   │
// 2 │   constant Real c;
//   │                 ^
//
