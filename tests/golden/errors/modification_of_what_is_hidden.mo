// Protected components, components that are `outer`, and those of models are not modified from outside.
package Hidden
  model World
    parameter Real g = 9.81;
  end World;

  model Part
    outer World world(g = 1);
    Real y = world.g*k;
  protected
    parameter Real k = 1;
  end Part;

  model Other
    Real y = k;
  protected
    parameter Real k = 1;
  end Other;

  model All
    inner World world;
    Part part;
    Other other(k = 2);
    World copy = world;
  end All;
end Hidden;
//! expect
// error[M005]: the outer component `world` is modified
//   ┌─ modification_of_what_is_hidden.mo:8:17
//   │
// 8 │     outer World world(g = 1);
//   │                 ^^^^^
//   │
//   = hint: modify the `inner` component that it means
//
//
// error[M005]: `k` is protected and cannot be modified
//    ┌─ modification_of_what_is_hidden.mo:23:17
//    │
// 23 │     Other other(k = 2);
//    │                 ^^^^^
//
//
// error[M005]: `copy` is a component of the model `Hidden.World`, which has no value
//    ┌─ modification_of_what_is_hidden.mo:24:11
//    │
// 24 │     World copy = world;
//    │           ^^^^^^^^^^^^
//
