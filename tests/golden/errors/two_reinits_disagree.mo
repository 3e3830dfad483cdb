model TwoReinits
  Real x(start = 1, fixed = true);
  Real y(start = 1, fixed = true);
equation
  der(x) = -1;
  der(y) = -2;
  when x < 0.5 then
    reinit(y, 1);
  end when;
  when x < 0.5 then
    reinit(y, 2);
  end when;
end TwoReinits;
//! expect
// error[R102]: two active `reinit` give y the values 1 and 2 at time 0.5
//    ┌─ two_reinits_disagree.mo:11:5
//    │
// 11 │     reinit(y, 2);
//    │     ^^^^^^^^^^^^ the second one
//
