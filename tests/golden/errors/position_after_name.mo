model Position
  Real x;
equation
  x = atan2(y = 1, 2);
end Position;
//! expect
// error[P020]: an argument by position follows one by name
//   ┌─ position_after_name.mo:4:20
//   │
// 4 │   x = atan2(y = 1, 2);
//   │             -      ^ this one has no name
//   │             │
//   │             this one has
//   │
//   = hint: arguments by position come first
//
