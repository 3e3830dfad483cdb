model Prefixes
  parameter constant Real x = 1;
end Prefixes;
//! expect
// error[P012]: `parameter`, `constant` and `discrete` exclude each other
//   ┌─ prefixes_exclude_each_other.mo:2:13
//   │
// 2 │   parameter constant Real x = 1;
//   │             ^^^^^^^^ a declaration has only one of them
//
