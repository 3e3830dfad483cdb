// A function of the standard library that the file calls by its full name and does not define.
model Sinc
  Real y = Modelica.Math.Special.sinc(time);
end Sinc;
