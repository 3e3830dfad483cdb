// A function of the standard library that the file calls by its full name and does not define.
model Sinc
  Real y = Modelica.Math.Special.sinc(time);
end Sinc;
//! expect
// supplied Modelica.Math.Special.sinc: from the texts of Partita, by its full name
//
// model Sinc
//   Real y = Modelica.Math.Special.sinc(time);
// end Sinc;
// function 'Modelica.Math.Special.sinc' "sin(u)/u"
//   input Real 'u';
//   output Real 'y';
// algorithm
//   'y' := if abs('u') > 5e-5 then sin('u') / 'u' else 1.0 - 'u' ^ 2 / 6.0 + 'u' ^ 4 / 120.0;
//   annotation(Inline = true);
// end 'Modelica.Math.Special.sinc';
