// A function that nobody defines is one mistake, at however many places it is called; a long line is shown around the place.
model Repeated
  Real x1, x2, x3, x4, x5, x6, x7;
equation
  x1 = 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10 + 11 + 12 + 13 + 14 + 15 + 16 + 17 + 18 + 19 + 20 + 21 + 22 + 23 + 24 + missing(time) + 26 + 27 + 28 + 29 + 30 + 31 + 32 + 33 + 34 + 35 + 36 + 37 + 38 + 39 + 40 + 41 + 42;
  x2 = missing(x1) + missing(1);
  x3 = missing(2);
  x4 = missing(3);
  x5 = missing(4);
  x6 = missing(5);
  x7 = missing(6) + other(7);
end Repeated;
//! expect
// error[F006]: unknown function `missing`
//   ┌─ repeated_cause.mo:5:119
//   │
// 5 │ …13 + 14 + 15 + 16 + 17 + 18 + 19 + 20 + 21 + 22 + 23 + 24 + missing(time) + 26 + 27 + 28 + 29 + 30 + 31 + 32 + 33 + 34 + 35 + 3…
//   │                                                              ^^^^^^^ not defined in the file
//   │
//   = and at 7 more places: lines 6, 7, 8, 9, 10 and others
//
//
// error[F006]: unknown function `other`
//    ┌─ repeated_cause.mo:11:21
//    │
// 11 │   x7 = missing(6) + other(7);
//    │                     ^^^^^ not defined in the file
//
