model Relation "How deep the function calls itself is known at run time only, so it is not inlined"
  function f
    input Real u;
    input Integer n;
    output Real y;
  algorithm
    if n > 0 then
      y := f(u, n - 1);
    else
      y := if u > 0.3 then 1 else 2;
    end if;
  end f;
  Real x(start = 0.5, fixed = true), y = f(sqrt(x), n);
  Integer n = if time < 5 then 2 else 1;
equation
  der(x) = -1;
end Relation;
//! expect
// error[R205]: the results cannot be computed at time 0.502
//   ┌─ relation_in_a_called_function.mo:2:12
//   │
// 2 │   function f
//   │            ^ u is not a number where Relation.f compares it (in function Relation.f)
//
