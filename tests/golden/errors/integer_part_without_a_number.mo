model Part
  Real x(start = 0.5, fixed = true);
  Integer n = integer(3*sqrt(x));
equation
  der(x) = -1;
end Part;
//! expect
