// Without --model the last model of a file is taken, and named; one that is not there is an error.
//! command check MODEL
//! command check MODEL --model First
//! command check MODEL --model Frist
model First
  Real x(start = 1, fixed = true) = 1;
end First;
model Second
  Real x = 2;
end Second;
//! expect
// exit code 0
// note[F002]: the file has 2 models; the last one, `Second`, is taken
//   ┌─ several_models.mo:8:7
//   │
// 8 │ model Second
//   │       ^^^^^^
//   │
//   = the file has `First`, `Second`
//   = hint: choose another one with --model NAME
//
//
// exit code 0
// exit code 1
// error[F001]: there is no model `Frist` in this file
//  = the file has `First`, `Second`
//  = hint: did you mean `First`?
//
//
// files:
