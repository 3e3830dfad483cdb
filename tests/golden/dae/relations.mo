// A relation outside noEvent becomes a variable; inside it stays a comparison.
model Relations
  Real x(start = 1, fixed = true), y, z;
equation
  der(x) = -x;
  y = if x > 0.5 then 1 else 2;
  z = noEvent(if x > 0.5 then 1 else 2);
end Relations;
//! expect
// system Relations
//   v0: Real time time
//   v1: Real continuous x, start 1, fixed true, derivative v4
//   v2: Real continuous y
//   v3: Real continuous z
//   v4: Real continuous der(x)
//   v5: Boolean relation $relation1
//   $relation1 when x > 0.5
// equations
//   e0: der(x) = -x
//   e1: y = if $relation1 then 1 else 2
//   e2: z = if x > 0.5 then 1 else 2
