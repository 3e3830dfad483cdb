model Sign
  Real x, y = 1;
equation
  x = 2*-y;
end Sign;
//! expect
// error[P026]: `-` directly behind `*` needs parentheses
//   ┌─ sign_after_operator.mo:4:9
//   │
// 4 │   x = 2*-y;
//   │         ^
//   │
//   = hint: write `* (-...)`
//
