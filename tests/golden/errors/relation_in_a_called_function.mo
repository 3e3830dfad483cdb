model Relation "The function calls itself, so it is not inlined"
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
  Real x(start = 0.5, fixed = true), y = f(sqrt(x), 2);
equation
  der(x) = -1;
end Relation;
//! expect
