model Extremum
  Real x(start = 0.5, fixed = true), y;
equation
  der(x) = -1;
  y = max({0.1, log(x), -x});
end Extremum;
//! expect
