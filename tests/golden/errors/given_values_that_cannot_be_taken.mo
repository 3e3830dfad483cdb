// Each value that the user gives is refused with the reason.
//! set constnat=1, k=1, f=1, n=2.5, b=maybe, m=medium, r=1e400, s.start=2
//! set v={1,2,3}, r={1,2}, v[3]=1, v[1,2]=1, r[1]=1, w=1, w={{1,2},{3}}
//! set x.nominal=3, stopTime=3, rec=1, rec.b=true, g=3
model GivenValuesThatCannotBeTaken
  type Mode = enumeration(slow, fast);
  record Rec
    Real b;
    Real c;
  end Rec;
  constant Real k = 1;
  final parameter Real f = 2;
  parameter Integer n = 3;
  parameter Boolean b = true;
  parameter Mode m = Mode.slow;
  parameter Real r = 1, s = 2;
  parameter Real v[2] = {1, 2};
  parameter Real w[2, 2] = {{1, 2}, {3, 4}};
  parameter Rec rec = Rec(1, 2);
  Real g(final start = 1, fixed = true);
  Real x(start = 1, fixed = true);
equation
  der(x) = -r*x;
  der(g) = -g;
end GivenValuesThatCannotBeTaken;
//! expect
// error[F037]: the model has no parameter or variable `constnat`
//
//
// error[F037]: `k` is a constant; it has the same value in every run
//    ┌─ given_values_that_cannot_be_taken.mo:11:17
//    │
// 11 │   constant Real k = 1;
//    │                 ^ declared `constant`
//
//
// error[F037]: `f` is final; its value cannot be changed from outside
//    ┌─ given_values_that_cannot_be_taken.mo:12:24
//    │
// 12 │   final parameter Real f = 2;
//    │                        ^ declared `final`
//
//
// error[F037]: `n` cannot be 2.5: it is an Integer, which takes a whole number
//    ┌─ given_values_that_cannot_be_taken.mo:13:21
//    │
// 13 │   parameter Integer n = 3;
//    │                     ^
//
//
// error[F037]: `b` cannot be maybe: it is a Boolean, which takes true or false
//    ┌─ given_values_that_cannot_be_taken.mo:14:21
//    │
// 14 │   parameter Boolean b = true;
//    │                     ^
//
//
// error[F037]: `m` cannot be medium: it is one of slow, fast
//    ┌─ given_values_that_cannot_be_taken.mo:15:18
//    │
// 15 │   parameter Mode m = Mode.slow;
//    │                  ^
//
//
// error[F037]: `r` cannot be 1e400: it is a Real, which takes a finite number
//    ┌─ given_values_that_cannot_be_taken.mo:16:18
//    │
// 16 │   parameter Real r = 1, s = 2;
//    │                  ^
//
//
// error[F037]: the start value of `s` has no effect: it has a value
//    ┌─ given_values_that_cannot_be_taken.mo:16:25
//    │
// 16 │   parameter Real r = 1, s = 2;
//    │                         ^
//    │
//    = hint: set `s` itself
//
//
// error[F037]: `r` is a scalar; it takes one value
//    ┌─ given_values_that_cannot_be_taken.mo:16:18
//    │
// 16 │   parameter Real r = 1, s = 2;
//    │                  ^
//
//
// error[F037]: `v` has 1 dimension: its subscript is one number from 1 on
//    ┌─ given_values_that_cannot_be_taken.mo:17:18
//    │
// 17 │   parameter Real v[2] = {1, 2};
//    │                  ^
//
//
// error[F037]: `r` is a scalar; it has no elements
//    ┌─ given_values_that_cannot_be_taken.mo:16:18
//    │
// 16 │   parameter Real r = 1, s = 2;
//    │                  ^
//
//
// error[F037]: `w` is an array of 2 dimensions; give all elements, row by row in braces, or one of them
//    ┌─ given_values_that_cannot_be_taken.mo:18:18
//    │
// 18 │   parameter Real w[2, 2] = {{1, 2}, {3, 4}};
//    │                  ^
//
//
// error[F037]: `w` cannot be {{1,2},{3}}: its rows have different lengths
//    ┌─ given_values_that_cannot_be_taken.mo:18:18
//    │
// 18 │   parameter Real w[2, 2] = {{1, 2}, {3, 4}};
//    │                  ^
//
//
// error[F037]: the model has no parameter or variable `x.nominal`
//  = of `x` its value or its `start` can be set, not `nominal`
//
//
// error[F037]: the model has no parameter or variable `stopTime`
//  = hint: `run` has `--stop-time` for it
//
//
// error[F037]: `rec` is a record; its fields are set one by one
//  = hint: for instance rec.b, rec.c
//
//
// error[F037]: `rec.b` cannot be true: it is a Real, which takes a finite number
//    ┌─ given_values_that_cannot_be_taken.mo:19:17
//    │
// 19 │   parameter Rec rec = Rec(1, 2);
//    │                 ^^^
//
//
// error[F037]: the start value of `g` is final; it cannot be changed from outside
//    ┌─ given_values_that_cannot_be_taken.mo:20:8
//    │
// 20 │   Real g(final start = 1, fixed = true);
//    │        ^ declared `final start`
//
//
// error[F012]: the value given for `v` must have the type Real[2], this has Real[3]
//    ┌─ given_values_that_cannot_be_taken.mo:17:18
//    │
// 17 │   parameter Real v[2] = {1, 2};
//    │                  ^ has the type Real[3]
//
