model BooleanSubscript
  Real x[2], y, of[Boolean];
equation
  x = {1, 2};
  of[false] = 1;
  of[true] = 2;
  y = x[time > 0.5];
end BooleanSubscript;
//! expect
// error[F021]: a subscript must be an Integer
//   ┌─ boolean_subscript.mo:7:9
//   │
// 7 │   y = x[time > 0.5];
//   │         ^^^^^^^^^^ is Boolean
//   │
//   = the array is Real[2]; only a dimension declared as `[Boolean]` has Boolean subscripts
//
