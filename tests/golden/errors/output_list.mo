model OutputList
  Real x, y;
equation
  (x, y) = sin(time);
end OutputList;
//! expect
// error[F029]: an output list needs a function with several outputs on the right
//   ┌─ output_list.mo:4:12
//   │
// 4 │   (x, y) = sin(time);
//   │            ^^^^^^^^^
//
