model Subscript
  Real x[3] = {1, 2, 3}*time;
  Integer i(start = 1, fixed = true);
  Boolean large = x[i] > 5;
equation
  when sample(0.25, 0.25) then
    i = pre(i) + 1;
  end when;
end Subscript;
//! expect
// error[R102]: the event cannot be handled at time 0.75
//   ┌─ subscript_in_a_relation.mo:4:19
//   │
// 4 │   Boolean large = x[i] > 5;
//   │                   ^^^^ the subscript i is 4, which is outside 1:3
//
