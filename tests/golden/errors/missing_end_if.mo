model Branch
  Real x;
equation
  if time > 1 then
    x = 1;
end Branch;
//! expect
// error[P023]: `end if;` is missing before `end Branch`
//   ┌─ missing_end_if.mo:6:1
//   │
// 4 │   if time > 1 then
//   │   -- this `if` is still open
// 5 │     x = 1;
// 6 │ end Branch;
//   │ ^^^^^^^^^^ `end if;` is expected first
//
