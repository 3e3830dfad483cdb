model Conditional
  parameter Boolean with_load = false;
  Real load if with_load;
  Real x = 1;
end Conditional;
//! expect
// error[F010]: `load` is a conditional component
//   ┌─ conditional_component.mo:3:16
//   │
// 3 │   Real load if with_load;
//   │                ^^^^^^^^^ not supported
//
