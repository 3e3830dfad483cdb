// The saturation of R134a is a fit of our own: whoever uses it is told.
model Refrigerant
  Real T = Modelica.Media.R134a.R134a_ph.temperatureOf_p(3e5 + time);
end Refrigerant;
//! expect
// note[F034]: 2 functions that the file needs and does not define are taken from texts of Partita for the Modelica Standard Library
//   ┌─ approximation.mo:3:12
//   │
// 3 │   Real T = Modelica.Media.R134a.R134a_ph.temperatureOf_p(3e5 + time);
//   │            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the file does not define this function
//   │
//   = the evidence: their full names
//   = supplied: `Modelica.Media.R134a.R134a_ph.temperatureOf_p`, `Modelica.Media.R134a.R134a_ph.chebyshev`
//
//
// warning[F035]: `Modelica.Media.R134a.R134a_ph.temperatureOf_p` is an approximation of Partita's own: the saturation of R134a is a fit, exact to 2e-8 of the temperature
//   ┌─ approximation.mo:3:12
//   │
// 3 │   Real T = Modelica.Media.R134a.R134a_ph.temperatureOf_p(3e5 + time);
//   │            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ what is computed here needs it
//   │
//   = hint: a library with the original, given by --library, is taken instead
//
