model Reserved
  Real input;
equation
  input = 1;
end Reserved;
//! expect
// error[P006]: `input` is a reserved word and cannot be a name
//   ┌─ reserved_word.mo:2:8
//   │
// 2 │   Real input;
//   │        ^^^^^ a name is expected here
//   │
//   = hint: choose another name, or quote it everywhere: 'input'
//
