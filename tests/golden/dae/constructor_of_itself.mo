// Inside the constructor of a record, its own name stands for the record; mixtures of streams as omc prints them.
function Complex "Automatically generated record constructor for Complex"
  input Real re;
  input Real im;
  output Complex res;
end Complex;
function Complex.'constructor'.fromReal "Construct Complex from Real"
  input Real re;
  input Real im = 0.0;
  output Complex result = Complex.'constructor'.fromReal(re, im);
algorithm
end Complex.'constructor'.fromReal;
class ConstructorOfItself
  Real c.re;
  Real c.im;
  Real m;
equation
  c = Complex.'constructor'.fromReal(time, 2.0);
  m = $OMC$inStreamDiv(($OMC$PositiveMax(c.re, 1e-7) * 3.0 + $OMC$PositiveMax(c.im, 1e-7) * 4.0) / ($OMC$PositiveMax(c.re, 1e-7) + $OMC$PositiveMax(c.im, 1e-7)), 0.0);
end ConstructorOfItself;
//! expect
// system ConstructorOfItself
//   v0: Real time time
//   v1: Real continuous c.re
//   v2: Real continuous c.im
//   v3: Real continuous m
// equations
//   e0: c.re = time
//   e1: c.im = 2
//   e2: m = (3*max(c.re, 1e-7) + 4*max(c.im, 1e-7))/(max(c.re, 1e-7) + max(c.im, 1e-7))
