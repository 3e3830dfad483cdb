model ReinitAlgebraic
  Real x(start = 1, fixed = true);
  Real y = sin(time);
equation
  der(x) = -1;
  when x < 0.5 then
    reinit(y, 5);
  end when;
end ReinitAlgebraic;
//! expect
// error[D005]: reinit of y, which cannot be a state
//   ┌─ reinit_of_an_algebraic_variable.mo:7:5
//   │
// 7 │     reinit(y, 5);
//   │     ^^^^^^^^^^^^ the equations determine its value
//   │
//   = hint: only what is integrated can be set anew
//
