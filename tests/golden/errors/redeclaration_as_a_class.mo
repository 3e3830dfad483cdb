model Part
  replaceable Real x = time;
end Part;
model RedeclarationAsAClass
  Part part(redeclare model x = Part);
end RedeclarationAsAClass;
//! expect
// error[M003]: `x` is a component, not a class
//   ┌─ redeclaration_as_a_class.mo:5:13
//   │
// 5 │   Part part(redeclare model x = Part);
//   │             ^^^^^^^^^^^^^^^^^^^^^^^^
//
