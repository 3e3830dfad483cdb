model UnknownFunction
  Real x;
equation
  x = sine(time);
end UnknownFunction;
//! expect
// error[F006]: unknown function `sine`
//   ┌─ unknown_function.mo:4:7
//   │
// 4 │   x = sine(time);
//   │       ^^^^ not defined in the file
//   │
//   = hint: did you mean `sin`?
//
