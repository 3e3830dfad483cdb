partial model World
  parameter Real g = 9.81;
end World;
model Part
  outer World world;
  Real v(start = 0, fixed = true);
equation
  der(v) = world.g;
end Part;
model OuterWithoutInner
  Part part;
end OuterWithoutInner;
//! expect
// error[N007]: there is no `inner` component `world` around this one
//   ┌─ outer_without_inner.mo:5:15
//   │
// 5 │   outer World world;
//   │               ^^^^^
//   │
//   = in part : Part
//
