model Operand
  Real x;
equation
  x = 1 + ;
end Operand;
//! expect
// error[P027]: something is missing behind `+`
//   ┌─ missing_operand.mo:4:10
//   │
// 4 │   x = 1 + ;
//   │          ^ an expression or a name belongs before `;`
//
