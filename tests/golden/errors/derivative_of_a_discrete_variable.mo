model Held
  discrete Real x(start = 0, fixed = true);
  Real y = der(2*x);
equation
  when time > 0.5 then
    x = 1;
  end when;
end Held;
//! expect
