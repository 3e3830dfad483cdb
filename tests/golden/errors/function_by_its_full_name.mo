// Functions of the standard library that a file does not define are supplied, with a note.
model Sinc
  Real y = Modelica.Math.Special.sinc(time) + Modelica.Math.Special.erf(time);
end Sinc;
//! expect
// note[F034]: 4 functions that the file needs and does not define are taken from texts of Partita for the Modelica Standard Library
//   ┌─ function_by_its_full_name.mo:3:12
//   │
// 3 │   Real y = Modelica.Math.Special.sinc(time) + Modelica.Math.Special.erf(time);
//   │            ^^^^^^^^^^^^^^^^^^^^^^^^^^ the file does not define this function
//   │
//   = the evidence: their full names
//   = supplied: `Modelica.Math.Special.sinc`, `Modelica.Math.Special.erf`, `Modelica.Math.Special.Internal.erfSeries`, `Modelica.Math.Special.Internal.erfcUtil`
//
