model Empty
  Real x;
equation
  x = 2*();
end Empty;
//! expect
// error[P017]: nothing stands between these parentheses
//   ┌─ empty_parentheses.mo:4:9
//   │
// 4 │   x = 2*();
//   │         ^^ an expression belongs here
//
