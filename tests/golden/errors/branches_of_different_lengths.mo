model Branches
  Real x, y;
equation
  if time > 1 then
    x = 1;
    y = 2;
  else
    x = 2;
  end if;
end Branches;
//! expect
// error[D001]: the branches of this if-equation have different numbers of equations
//   ┌─ branches_of_different_lengths.mo:4:3
//   │
// 4 │ ╭   if time > 1 then
// 5 │ │     x = 1;
// 6 │ │     y = 2;
// 7 │ │   else
// 8 │ │     x = 2;
// 9 │ │   end if;
//   │ ╰────────^ the branches have 2, 1 equations
//   │
//   = hint: this is allowed only if the condition is known when the model is compiled; make its parameters final
//
