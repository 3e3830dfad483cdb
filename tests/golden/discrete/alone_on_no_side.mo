// A discrete variable with a factor, and one of a sum: each equation is solved for the variable that it determines.
model AloneOnNoSide
  Integer n(start = 1, fixed = true);
  Integer m;
  discrete Real x;
  discrete Real u(start = 0, fixed = true);
equation
  when sample(0, 0.1) then
    n = pre(n) + 1;
    u = n*2.0;
  end when;
  2*x = u;
  n + m = 10;
end AloneOnNoSide;
//! expect
// aliases of AloneOnNoSide: 0 eliminated
// equations
//   e0: discrete n = if $when4 then pre(n) + 1 else pre(n)
//   e1: discrete u = if $when4 then 2*n else pre(u)
//   e2: discrete x = u/2
//   e3: discrete m = 10 - n
//   e4: activation: $when4 = $sample3 and not pre($sample3)
//   e5: $text5 = n + m
//   e6: discrete $action6 = abs(n + m) >= 9007199254740992.0
