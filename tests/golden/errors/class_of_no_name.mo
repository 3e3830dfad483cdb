model Part
  Real x = time;
end Part;
model ClassOfNoName
  Part part;
  Prat other;
end ClassOfNoName;
//! expect
// error[N003]: unknown class `Prat`
//   ┌─ class_of_no_name.mo:6:3
//   │
// 6 │   Prat other;
//   │   ^^^^
//
