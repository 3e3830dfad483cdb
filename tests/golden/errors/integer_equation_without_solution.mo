model Halves
  Integer i;
  Integer j(start = 2, fixed = true);
equation
  2*i = j;
  when sample(0.2, 0.2) then
    j = pre(j) + 1;
  end when;
end Halves;
//! expect
