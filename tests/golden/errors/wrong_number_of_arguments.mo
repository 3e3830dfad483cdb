model Arguments
  Real x;
equation
  x = sin(time, 2);
end Arguments;
//! expect
// error[F013]: `sin` takes 1 argument, 2 are given
//   ┌─ wrong_number_of_arguments.mo:4:7
//   │
// 4 │   x = sin(time, 2);
//   │       ^^^^^^^^^^^^
//
