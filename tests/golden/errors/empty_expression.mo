model Exported
  parameter Real p = #EMPTY#;
  Real x = p;
end Exported;
//! expect
// error[P009]: `#EMPTY#` stands for an expression that the exporting tool did not find
//   ┌─ empty_expression.mo:2:22
//   │
// 2 │   parameter Real p = #EMPTY#;
//   │                      ^^^^^^^ nothing is known about this value
//   │
//   = hint: give the parameter or input a value in the model and export it again
//
