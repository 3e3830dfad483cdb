model Shown
  Real x = time;
equation
  assert(x < 2, "x is " + String(x, format = "5d"));
end Shown;
//! expect
