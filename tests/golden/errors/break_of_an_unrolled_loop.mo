// An exporter has written out `for i in 1:3`; the first turn that finds x below its limit ends it. The assertion shows what is left.
model WrittenOut
  Real x(start = 1.5, fixed = true);
  Integer n;
equation
  der(x) = -1;
algorithm
  n := 0;
  if x < 1 then
    break;
  else
    n := n + 1;
  end if;
  if x < 2 then
    break;
  else
    n := n + 1;
  end if;
  if x < 3 then
    break;
  else
    n := n + 1;
  end if;
  assert(n > 0, "n is 0");
end WrittenOut;
//! expect
// note[F031]: `break` leaves these 3 statements, which are turns of one loop
//    ┌─ break_of_an_unrolled_loop.mo:9:3
//    │
//  9 │ ╭   if x < 1 then
// 10 │ │     break;
// 11 │ │   else
// 12 │ │     n := n + 1;
// 13 │ │   end if;
//    │ ╰────────^ the loop was unrolled before
//
// error[R104]: an assertion of the model failed: n is 0 at time 0.5
//    ┌─ break_of_an_unrolled_loop.mo:24:3
//    │
// 24 │   assert(n > 0, "n is 0");
//    │   ^^^^^^^^^^^^^^^^^^^^^^^
//
