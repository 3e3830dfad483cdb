model Wide
  parameter Integer n = 9007199254740993;
  Integer k(start = 0, fixed = true);
equation
  when time > 0.5 then
    k = n;
  end when;
end Wide;
//! expect
// error[D015]: the Integer n = 9007199254740993 is too large
//   ┌─ integer_too_large.mo:2:21
//   │
// 2 │   parameter Integer n = 9007199254740993;
//   │                     ^ Integers are exact up to 9007199254740991
//   │
//   = hint: write it as a Real, with a point or an exponent
//
