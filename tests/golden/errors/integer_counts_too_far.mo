model Counts
  Integer k(start = 9007199254740990, fixed = true);
equation
  when sample(0.1, 0.1) then
    k = pre(k) + 1;
  end when;
end Counts;
//! expect
