// What follows a `return` or `break` is not executed.
function root
  input Real x;
  output Real y;
algorithm
  assert(x >= 0.5, "x is too small");
  y := x - 0.5;
end root;

function f
  input Real x;
  output Real y;
algorithm
  if x < 0.5 then
    y := 0;
    return;
  end if;
  y := root(x);
end f;

function g
  input Real x;
  output Real y = 0;
algorithm
  for i in 1:2 loop
    if x < 0.5 then
      break;
    end if;
    y := y + root(x);
  end for;
end g;

model AssertAfterAReturn
  Real y = f(time);
  Real z = g(time);
end AssertAfterAReturn;
//! expect
// system AssertAfterAReturn
//   v0: Real time time
//   v1: Real continuous y
//   v2: Real continuous z
//   v3: Real parameter $unassigned
//   v4: Boolean continuous $action1
//   v5: Boolean continuous $action2
//   v6: Boolean continuous $action3
// equations
//   e0: y = if time < 0.5 then 0 else time - 0.5
//   e1: z = if time < 0.5 or not time < 0.5 and (time < 0.5 and not time < 0.5) then (if time < 0.5 then 0 else time - 0.5) else time - 0.5 + (if time < 0.5 then 0 else time - 0.5)
//   e2: $action1 = not time < 0.5 and not time >= 0.5
//   e3: $action2 = not time < 0.5 and not time >= 0.5
//   e4: $action3 = not time >= 0.5 and not (time < 0.5 or not time < 0.5 and (time < 0.5 and not time < 0.5))
