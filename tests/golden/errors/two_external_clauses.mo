function f
  input Real x;
  output Real y;
  external "C";
  external "C";
end f;
//! expect
// error[P013]: a function has more than one `external` clause
//   ┌─ two_external_clauses.mo:5:3
//   │
// 5 │   external "C";
//   │   ^^^^^^^^^^^^ the second one
//
