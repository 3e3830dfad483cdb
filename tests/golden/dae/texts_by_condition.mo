// A text that depends on a condition: comparisons and messages depend on it too.
function f
  input Real x;
  output Real y;
protected
  String s;
algorithm
  if x > 0.5 then
    s := "a";
  else
    s := "b";
  end if;
  y := if s == "a" then 1 else 2;
  assert(x < 3, "x is too large: " + s);
end f;

model TextsByCondition
  Real y;
equation
  y = f(time);
end TextsByCondition;
//! expect
// system TextsByCondition
//   v0: Real time time
//   v1: Real continuous y
//   v2: Boolean continuous $text1
//   v3: Boolean continuous $action2
// equations
//   e0: y = if time > 0.5 then 1 else 2
//   e1: $text1 = not time > 0.5
//   e2: $action2 = not time < 3
