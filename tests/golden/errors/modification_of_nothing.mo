model Part
  parameter Real p = 1;
  Real x = p*time;
end Part;
model ModificationOfNothing
  Part part(q = 2);
end ModificationOfNothing;
//! expect
// error[M001]: `Part` has no element `q` to modify
//   ┌─ modification_of_nothing.mo:6:13
//   │
// 6 │   Part part(q = 2);
//   │             ^^^^^
//
