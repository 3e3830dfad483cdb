model WhenBranchesDiffer
  discrete Real y(start = 0, fixed = true), z(start = 0, fixed = true);
equation
  when time > 0.2 then
    y = 1;
    z = 1;
  elsewhen time > 0.5 then
    y = 2;
  end when;
end WhenBranchesDiffer;
//! expect
// warning[F032]: the branches of this `when` do not assign the same variables: `z`
//   ┌─ when_branches_differ.mo:7:12
//   │
// 4 │   when time > 0.2 then
//   │        ---------- is assigned in this one
//   ·
// 7 │   elsewhen time > 0.5 then
//   │            ^^^^^^^^^^ is left as it is in this branch
//   │
//   = hint: `z = pre(z)` says the same in Modelica
//
