model Connect
  Real a, b;
equation
  connect(a, b);
  a = 1;
end Connect;
//! expect
// error[K001]: `a` is no connector
//   ┌─ connect.mo:4:11
//   │
// 4 │   connect(a, b);
//   │           ^
//   │
//   = hint: an equation makes two variables equal: a = b
//
