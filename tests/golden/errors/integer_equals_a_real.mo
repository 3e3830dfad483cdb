model IntegerEqualsAReal
  Integer n, k, same;
  Real x;
equation
  n = 5/2;
  same = 4.0;
  k = integer(2.5*time);
  when time > 0.5 then
    x = k;
  end when;
end IntegerEqualsAReal;
//! expect
// error[F011]: an Integer is to equal a Real
//   ┌─ integer_equals_a_real.mo:5:7
//   │
// 5 │   n = 5/2;
//   │   -   ^^^ is Real
//   │   │
//   │   is Integer
//   │
//   = hint: `integer(...)` rounds down; `div` is the division of Integers
//
