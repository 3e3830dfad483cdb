model Part
  final parameter Real p = 1;
  Real x = p*time;
end Part;
model ModificationOfFinal
  Part part(p = 2);
end ModificationOfFinal;
//! expect
// error[M002]: `p` is final and cannot be modified
//   ┌─ modification_of_final.mo:6:13
//   │
// 6 │   Part part(p = 2);
//   │             ^^^^^
//
