// Nothing but a comment.
//! expect
// error[P008]: the file is empty
//   ┌─ empty_file.mo:2:1
//   │
// 2 │
//   │ ^ there is no class in it
//   │
//   = hint: a model is written `model M ... end M;`
//
