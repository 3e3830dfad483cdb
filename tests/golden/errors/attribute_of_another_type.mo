model AttributeOfAnotherType
  Boolean b(min = false) = time > 1;
  Real x(start = 1, fixed = true, start = 2);
  type Gear = enumeration(first, second, first);
  Gear g;
equation
  der(x) = 1;
  g = Gear.second;
end AttributeOfAnotherType;
//! expect
// error[F004]: the literal `first` is declared twice
//   ┌─ attribute_of_another_type.mo:4:42
//   │
// 4 │   type Gear = enumeration(first, second, first);
//   │                           -----          ^^^^^ second declaration
//   │                           │
//   │                           first declaration
//
//
// error[F023]: `b` has no attribute `min`
//   ┌─ attribute_of_another_type.mo:2:13
//   │
// 2 │   Boolean b(min = false) = time > 1;
//   │             ^^^^^^^^^^^
//   │
//   = it is Boolean
//
//
// error[F023]: the attribute `start` of `x` is written twice
//   ┌─ attribute_of_another_type.mo:3:35
//   │
// 3 │   Real x(start = 1, fixed = true, start = 2);
//   │          ---------                ^^^^^^^^^
//   │          │
//   │          first here
//
