function root
  input Real u;
  output Real y;
algorithm
  assert(u < 3, "u is large", AssertionLevel.warning);
  y := u;
  while abs(y*y - u) > 1e-12*u loop
    y := 0.5*(y + u/y);
  end while;
end root;
model Called
  Real x = root(1 + time);
end Called;
//! expect
// warning[D009]: a warning of function root is not shown, because the function is called, not inlined
//   ┌─ warning_in_a_called_function.mo:5:3
//   │
// 5 │   assert(u < 3, "u is large", AssertionLevel.warning);
//   │   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ this assert
//
