model TwoStars
  Real x(start=1, fixed=true);
equation
  der(x) = -x**2;
end TwoStars;
//! expect
// error[P027]: `**` is no operator
//   ┌─ two_stars.mo:4:14
//   │
// 4 │   der(x) = -x**2;
//   │              ^^
//   │
//   = hint: a power is written with `^`: `x^2`
//
