model Loose
  Real x(start = 1, fixed = true);
  Integer n;
equation
  der(x) = -1;
algorithm
  n := 0;
  if x < 0.5 then
    break;
  end if;
  n := 1;
end Loose;
//! expect
// error[F025]: `break` stands outside of a loop
//   ┌─ break_outside_of_a_loop.mo:9:5
//   │
// 9 │     break;
//   │     ^^^^^
//
