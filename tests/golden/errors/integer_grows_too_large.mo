model Grows
  Integer k(start = 1, fixed = true);
equation
  when sample(0.1, 0.01) then
    k = pre(k)*7;
  end when;
end Grows;
//! expect
