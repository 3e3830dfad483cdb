model Square
  discrete Real x(start = 3);
  discrete Real u(start = 1, fixed = true);
equation
  x*x = u;
  when sample(0.2, 0.2) then
    u = pre(u) + 1;
  end when;
end Square;
//! expect
