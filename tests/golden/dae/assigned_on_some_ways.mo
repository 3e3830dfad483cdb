// What is assigned on every way needs no mark; what is assigned on some is not a number on the others.
record R
  Real a;
  Real b;
end R;

function f
  input Real x;
  output R r;
  output Real z;
algorithm
  if x > 2 then
    r.a := 1;
    z := r.a + 1;
  elseif x > 1 then
    r.a := 2;
    r.b := 3;
    z := r.b;
  else
    r.a := 4;
    z := 5;
  end if;
end f;

function g
  input Real x;
  output Real y;
algorithm
  if x < 0 then
    y := -1;
    return;
  end if;
  y := x;
end g;

model AssignedOnSomeWays
  R r;
  Real z;
  Real y;
equation
  (r, z) = f(time);
  y = g(time);
end AssignedOnSomeWays;
//! expect
// system AssignedOnSomeWays
//   v0: Real time time
//   v1: Real continuous r.a
//   v2: Real continuous r.b
//   v3: Real continuous z
//   v4: Real continuous y
//   v5: Real parameter $unassigned
// equations
//   e0: r.a = if not time > 2 and not time > 1 then 4 elseif not time > 2 and time > 1 then 2 else 1
//   e1: r.b = if not time > 2 and time > 1 then 3 else NaN
//   e2: z = if not time > 2 and not time > 1 then 5 elseif not time > 2 and time > 1 then 3 else 2
//   e3: y = if time < 0 then -1 else time
