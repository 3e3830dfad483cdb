model Body
  Real x(start = 0.25, fixed = true);
  discrete Real y(start = 0, fixed = true);
equation
  der(x) = -1;
  when time > 0.5 then
    y = if sqrt(x) > 0 then 1 else 2;
  end when;
end Body;
//! expect
