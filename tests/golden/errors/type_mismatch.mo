model TypeMismatch
  Real x;
  Boolean b;
equation
  b = time > 1;
  x = 1 + b;
end TypeMismatch;
//! expect
// error[F011]: `+` needs numbers, not Boolean
//   ┌─ type_mismatch.mo:6:11
//   │
// 6 │   x = 1 + b;
//   │           ^ is Boolean
//   │
//   = hint: Booleans are no numbers in Modelica; write `if b then 1 else 0`
//
