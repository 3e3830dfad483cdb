model TooManyElements
  Real x = time*sum(identity(40000));
end TooManyElements;
//! expect
// error[D006]: the array is too large
//   ┌─ expression_with_too_many_elements.mo:2:21
//   │
// 2 │   Real x = time*sum(identity(40000));
//   │                     ^^^^^^^^^^^^^^^ 1600000000 elements
//
