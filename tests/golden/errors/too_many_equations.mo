model TooMany
  Real x;
equation
  x = time;
  x = 2*time;
end TooMany;
