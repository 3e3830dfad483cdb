model UnknownType
  Reel x;
equation
  x = 1;
end UnknownType;
//! expect
// error[F005]: unknown type `Reel`
//   ┌─ unknown_type.mo:2:3
//   │
// 2 │   Reel x;
//   │   ^^^^
//   │
//   = declared: `x`
//   = hint: did you mean `Real`?
//
