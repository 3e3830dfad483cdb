model Halves
  Integer i;
  Integer j(start = 2, fixed = true);
equation
  2*i = j;
  when sample(0.2, 0.2) then
    j = pre(j) + 1;
  end when;
end Halves;
//! expect
// error[R104]: an assertion of the model failed: 2*i = j has no whole solution: i would be 1.5 at time 0.2
//   ┌─ integer_equation_without_solution.mo:5:3
//   │
// 5 │   2*i = j;
//   │   ^^^^^^^
//   │
//   = i = 1.5
//
