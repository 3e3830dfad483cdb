partial model PartialModel
  Real x(start=1, fixed=true);
  Real y;
equation
  der(x) = -x;
end PartialModel;
//! expect
// error[F001]: `PartialModel` is a partial model, which is not complete by itself
//   ┌─ partial_model.mo:1:15
//   │
// 1 │ partial model PartialModel
//   │               ^^^^^^^^^^^^ declared as `partial`
//   │
//   = hint: remove `partial`, or run a model that extends `PartialModel`, flattened by another tool
//
