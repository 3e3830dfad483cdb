model ArrayTooLarge
  Real x[100000, 100000];
  Real y = sum(zeros(100000, 100000));
equation
  x[1, 1] = 1;
end ArrayTooLarge;
//! expect
// error[F041]: `x` has more than 5000000 elements
//   ┌─ array_too_large.mo:2:8
//   │
// 2 │   Real x[100000, 100000];
//   │        ^ too large
//   │
//   = hint: `--limit elements=50000000` allows ten times as much
//
//
// error[F021]: too many subscripts on Real
//   ┌─ array_too_large.mo:5:3
//   │
// 5 │   x[1, 1] = 1;
//   │   ^^^^^^^
//
