model Else
  Real x;
equation
  x = if time > 1 then 1;
end Else;
//! expect
// error[P028]: `else` is missing
//   ┌─ missing_else.mo:4:25
//   │
// 4 │   x = if time > 1 then 1;
//   │       --                ^ `else` belongs here
//   │       │
//   │       for this `if`
//   │
//   = hint: an `if` expression always has a value, so it needs `else`
//
