model Evaluated
  parameter Integer n = div(4, 0);
  Real x[n];
equation
  x = fill(time, n);
end Evaluated;
//! expect
// error[F019]: division by zero
//   ┌─ division_by_zero_at_compile_time.mo:2:25
//   │
// 2 │   parameter Integer n = div(4, 0);
//   │                         ^^^^^^^^^ evaluated at compile time
//
//
// error[F020]: the size of `x` is not known at compile time
//   ┌─ division_by_zero_at_compile_time.mo:3:10
//   │
// 3 │   Real x[n];
//   │          ^ depends on something that is not a constant or a parameter with a value
//
//
// error[F020]: a size is not known at compile time
//   ┌─ division_by_zero_at_compile_time.mo:5:7
//   │
// 5 │   x = fill(time, n);
//   │       ^^^^^^^^^^^^^ depends on something that is not
//
