model Part
  Real speed = time;
end Part;
model ElementOfNoComponent
  Part part;
  Real y = part.spead;
end ElementOfNoComponent;
//! expect
// error[N002]: `part` of `Part` has no element `spead`
//   ┌─ element_of_no_component.mo:6:17
//   │
// 6 │   Real y = part.spead;
//   │                 ^^^^^
//
