model Connect
  Real a, b;
equation
  connect(a, b);
  a = 1;
end Connect;
//! expect
// error[F008]: `connect(a, b)` needs a hierarchical front end
//   ┌─ connect.mo:4:3
//   │
// 4 │   connect(a, b);
//   │   ^^^^^^^^^^^^^ not supported
//   │
//   = hint: flatten the model first, for example with OpenModelica's instantiateModel or --baseModelica
//
