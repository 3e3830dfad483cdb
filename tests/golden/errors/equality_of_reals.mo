model Equal
  Real x = 2*time;
  discrete Real d(start = 0, fixed = true);
  Boolean b = x == 1.0, c = d <> 3;
equation
  when b then
    d = 3;
  end when;
  assert(not c or time < 0.6, "not reached");
  assert(time < 0.9, "the end");
end Equal;
//! expect
