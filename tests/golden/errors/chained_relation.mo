model Chained
  Boolean b;
equation
  b = 0 < time < 1;
end Chained;
//! expect
// error[P018]: a comparison of a comparison needs parentheses
//   ┌─ chained_relation.mo:4:16
//   │
// 4 │   b = 0 < time < 1;
//   │                ^ second `<`
//   │
//   = hint: join two comparisons with `and`
//
