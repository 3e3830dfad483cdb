model TooFew
  Real x, y, z;
equation
  x + y = time;
  z = 2*time;
end TooFew;
