model Part
  Part part;
end Part;
model ComponentOfItself
  Part part;
end ComponentOfItself;
//! expect
// error[N004]: `Part` contains itself
//   ┌─ component_of_itself.mo:2:8
//   │
// 2 │   Part part;
//   │        ^^^^
//   │
//   = in part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part.part : Part
//
