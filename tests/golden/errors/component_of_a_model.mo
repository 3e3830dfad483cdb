model Part
  Real x = 1;
end Part;
model Whole
  Part part;
end Whole;
//! expect
// error[F007]: `Part` is a model, not a type of a flat variable
//   ┌─ component_of_a_model.mo:5:3
//   │
// 1 │ model Part
//   │       ---- defined here
//   ·
// 5 │   Part part;
//   │   ^^^^ a component of a model needs a hierarchical front end
//   │
//   = declared: `part`
//   = hint: flatten the model first, for example with OpenModelica's instantiateModel or --baseModelica
//
