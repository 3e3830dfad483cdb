model Result
  Real x(start = 0.5, fixed = true);
  Real y "nothing but a result";
equation
  der(x) = -1;
  y = 2*sqrt(x);
end Result;
//! expect
