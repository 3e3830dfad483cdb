Real x;
//! expect
// error[P030]: a class definition is expected
//   ┌─ no_class.mo:1:1
//   │
// 1 │ Real x;
//   │ ^^^^ `Real` does not begin one
//   │
//   = hint: a file holds definitions such as `model M ... end M;`
//
