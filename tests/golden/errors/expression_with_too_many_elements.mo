model TooManyElements
  Real x = time*sum(identity(40000));
end TooManyElements;
//! expect
// error[D021]: an array has more than 5000000 elements
//   ┌─ expression_with_too_many_elements.mo:2:21
//   │
// 2 │   Real x = time*sum(identity(40000));
//   │                     ^^^^^^^^^^^^^^^ too large
//   │
//   = hint: `--limit elements=50000000` allows ten times as much
//
