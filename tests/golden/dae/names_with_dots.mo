// The dots in a name of flat Modelica make no scopes: `exp` inside `ComplexMath.exp` is the exponential. A constructor without
// statements gives its inputs to the fields of the same names.
function Complex "Automatically generated record constructor for Complex"
  input Real re;
  input Real im;
  output Complex res;
end Complex;
function Complex.'constructor'.fromReal
  input Real re;
  input Real im = 0.0;
  output Complex result;
algorithm
end Complex.'constructor'.fromReal;
function ComplexMath.exp
  input Complex c1;
  output Complex c2;
algorithm
  c2 := Complex.'constructor'.fromReal(exp(c1.re) * cos(c1.im), exp(c1.re) * sin(c1.im));
end ComplexMath.exp;
class NamesWithDots
  Real c.re;
  Real c.im;
equation
  c = ComplexMath.exp(Complex.'constructor'.fromReal(time, 2.0));
end NamesWithDots;
//! expect
// system NamesWithDots
//   v0: Real time time
//   v1: Real continuous c.re
//   v2: Real continuous c.im
// equations
//   e0: c.re = (-0.4161468365471424)*exp(time)
//   e1: c.im = 0.9092974268256817*exp(time)
