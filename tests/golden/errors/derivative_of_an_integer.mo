model DerivativeOfAnInteger
  Integer i(start = 0);
  Real x;
equation
  i = if time > 1 then 2 else 1;
  x = der(i);
end DerivativeOfAnInteger;
//! expect
// error[F011]: `der` needs a Real, not an Integer
//   ┌─ derivative_of_an_integer.mo:6:11
//   │
// 6 │   x = der(i);
//   │           ^ is Integer
//   │
//   = hint: an Integer changes at events only and has no derivative
//
