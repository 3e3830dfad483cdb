// The right side of `and` and `or` is looked at only where the left does not decide, the condition of an `elseif` only where
// those before it do not hold: their asserts hold there.
function f
  input Real x;
  output Boolean y;
algorithm
  assert(x > 0.5, "x is too small");
  y := x > 0.75;
end f;

function g
  input Real x;
  output Real y;
algorithm
  y := if x > 0.5 and f(x) then 1 elseif x <= 0.5 or f(x) then 2 else 3;
end g;

function h
  input Real x;
  output Real y = 0;
algorithm
  if x <= 0.5 then
    y := 1;
  elseif f(x) then
    y := 2;
  end if;
end h;

model AssertBehindACondition
  Real y = g(time);
  Real z = h(time);
end AssertBehindACondition;
//! expect
// system AssertBehindACondition
//   v0: Real time time
//   v1: Real continuous y
//   v2: Real continuous z
//   v3: Boolean continuous $action1
//   v4: Boolean continuous $action2
//   v5: Boolean continuous $action3
// equations
//   e0: y = if time > 0.5 and time > 0.75 then 1 elseif time > 0.75 or time <= 0.5 then 2 else 3
//   e1: z = if time > 0.75 and not time <= 0.5 then 2 elseif time <= 0.5 then 1 else 0
//   e2: $action1 = time > 0.5 and not time > 0.5
//   e3: $action2 = not time > 0.5 and (not (time > 0.5 and time > 0.75) and not time <= 0.5)
//   e4: $action3 = not time > 0.5 and (time <= 0.5 and not time <= 0.5)
