model A
  Real x = time;
end A;
model B
  Real x = 2*time;
end B;
//! expect
// note[F002]: the file has 2 models; the last one, `B`, is taken
//   ┌─ several_models.mo:4:7
//   │
// 4 │ model B
//   │       ^
//   │
//   = the file has `A`, `B`
//   = hint: choose another one with --model NAME
//
