// A `when` makes its variables keep their value until it is active.
model Counter
  Integer n(start = 0, fixed = true);
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  when x > 0.5 then
    n = pre(n) + 1;
    reinit(x, 0);
  end when;
end Counter;
