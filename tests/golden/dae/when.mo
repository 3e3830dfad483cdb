// A `when` makes its variables keep their value until it is active.
model Counter
  Integer n(start = 0, fixed = true);
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  when x > 0.5 then
    n = pre(n) + 1;
    reinit(x, 0);
  end when;
end Counter;
//! expect
// system Counter
//   v0: Real time time
//   v1: Integer discrete n, start 0, fixed true
//   v2: Real continuous x, start 0, fixed true, derivative v3
//   v3: Real continuous der(x)
//   v4: Boolean relation $relation1
//   v5: Boolean pre pre($relation1)
//   v6: Boolean discrete $when2
//   v7: Integer pre pre(n)
//   v8: Real discrete $reinit3
//   $relation1 when x > 0.5
// equations
//   e0: der(x) = 1
//   e1: discrete n = if $when2 then pre(n) + 1 else pre(n)
//   e2: activation: $when2 = $relation1 and not pre($relation1)
//   e3: discrete $reinit3 = 0
// reinit x to $reinit3 when $when2
