model ConnectionUnderAnOpenCondition
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;
  Ground a, b;
equation
  if time > 1 then
    connect(a.p, b.p);
  end if;
end ConnectionUnderAnOpenCondition;
//! expect
// error[N005]: the condition of an `if` with connections must be known before the run
//    ┌─ connection_under_an_open_condition.mo:13:6
//    │
// 13 │   if time > 1 then
//    │      ^^^^^^^^
//
