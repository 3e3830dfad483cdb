// A relation outside noEvent becomes a variable; inside it stays a comparison.
model Relations
  Real x(start = 1, fixed = true), y, z;
equation
  der(x) = -x;
  y = if x > 0.5 then 1 else 2;
  z = noEvent(if x > 0.5 then 1 else 2);
end Relations;
