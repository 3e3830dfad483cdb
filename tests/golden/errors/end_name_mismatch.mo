model Motor
  Real x = 1;
end Moter;
//! expect
// error[P004]: `Motor` ends with the name `Moter`
//   ┌─ end_name_mismatch.mo:3:5
//   │
// 1 │ model Motor
//   │       ----- the class begins here
// 2 │   Real x = 1;
// 3 │ end Moter;
//   │     ^^^^^ `Motor` belongs here
//   │
//   = hint: write the same name in both places, or look for a missing `end` in between
//
