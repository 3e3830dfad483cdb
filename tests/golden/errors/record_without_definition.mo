class Flat
  Modelica.Complex z;
equation
  z.re = 1.0;
  z.im = 2.0;
end Flat;
//! expect
// error[F024]: the definition of `Modelica.Complex` is not in the file
//   ┌─ record_without_definition.mo:2:3
//   │
// 2 │   Modelica.Complex z;
//   │   ^^^^^^^^^^^^^^^^ used here
//   │
//   = declared: `z`
//   = hint: omc's flat form leaves record definitions out; its Base Modelica form (--baseModelica) has them
//
