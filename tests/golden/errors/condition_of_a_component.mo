model Part
  Real x = time;
end Part;
model ConditionOfAComponent
  Real y = time;
  Part part if y > 1;
end ConditionOfAComponent;
//! expect
// error[N005]: the condition of `part` cannot be evaluated
//   ┌─ condition_of_a_component.mo:6:16
//   │
// 6 │   Part part if y > 1;
//   │                ^^^^^
//
