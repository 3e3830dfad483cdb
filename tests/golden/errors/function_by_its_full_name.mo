// Functions of the standard library that a file does not define are supplied, with a note.
model Sinc
  Real y = Modelica.Math.Special.sinc(time) + Modelica.Math.Special.erf(time);
end Sinc;
