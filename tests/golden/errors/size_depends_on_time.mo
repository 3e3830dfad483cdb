model Size
  Real x[integer(time)];
equation
  x = fill(1, integer(time));
end Size;
//! expect
// error[F020]: the size of `x` is not known at compile time
//   ┌─ size_depends_on_time.mo:2:10
//   │
// 2 │   Real x[integer(time)];
//   │          ^^^^^^^^^^^^^ depends on something that is not a constant or a parameter with a value
//
//
// error[F020]: a size is not known at compile time
//   ┌─ size_depends_on_time.mo:4:7
//   │
// 4 │   x = fill(1, integer(time));
//   │       ^^^^^^^^^^^^^^^^^^^^^^ depends on something that is not
//
