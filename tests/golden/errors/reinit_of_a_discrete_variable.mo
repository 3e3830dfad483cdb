model Reinit
  Real x(start = 0, fixed = true);
  discrete Real y(start = 0, fixed = true);
equation
  der(x) = 1;
  when x > 0.5 then
    y = pre(y) + 1;
    reinit(y, 0);
  end when;
end Reinit;
//! expect
// error[D005]: reinit of y, which is not a continuous variable
//   ┌─ reinit_of_a_discrete_variable.mo:8:5
//   │
// 8 │     reinit(y, 0);
//   │     ^^^^^^^^^^^^ the first argument must be a state
//
