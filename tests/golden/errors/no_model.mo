function f
  input Real x;
  output Real y;
algorithm
  y := x;
end f;
//! expect
// error[F001]: there is no model in this file
//   ┌─ no_model.mo:1:10
//   │
// 1 │ function f
//   │          ^ this is a function
//   │
//   = hint: functions run as part of a model that calls them: `partita run Model.mo --library FILE` adds those of a file
//
