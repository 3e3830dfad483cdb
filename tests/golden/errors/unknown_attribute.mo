model Attribute
  Real x(strat = 1);
equation
  x = 1;
end Attribute;
//! expect
// error[F023]: `x` has no attribute `strat`
//   ┌─ unknown_attribute.mo:2:10
//   │
// 2 │   Real x(strat = 1);
//   │          ^^^^^^^^^
//   │
//   = hint: did you mean `start`?
//
