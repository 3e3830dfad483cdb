function f
  input Real u;
  output Real y;
external "C" y = ModelicaRandom_impureRandom_xorshift1024star(u);
end f;
function g = der(f, u);
model Slope
  Real y = g(time);
end Slope;
//! expect
