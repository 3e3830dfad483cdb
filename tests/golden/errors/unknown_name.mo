model UnknownName
  Real speed;
equation
  spead = 2*time;
end UnknownName;
//! expect
// error[F003]: unknown variable `spead`
//   ┌─ unknown_name.mo:4:3
//   │
// 4 │   spead = 2*time;
//   │   ^^^^^ not declared
//   │
//   = hint: did you mean `speed`?
//
