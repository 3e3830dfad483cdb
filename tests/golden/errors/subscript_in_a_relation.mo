model Subscript
  Real x[3] = {1, 2, 3}*time;
  Integer i(start = 1, fixed = true);
  Boolean large = x[i] > 5;
equation
  when sample(0.25, 0.25) then
    i = pre(i) + 1;
  end when;
end Subscript;
//! expect
