function slow
  input Real n;
  output Real s;
algorithm
  s := 0;
  while s < n loop
    s := s + 1;
  end while;
end slow;
model Slow "an evaluation at compile time that takes too long"
  parameter Real a = slow(1e12);
  Real x = a*time;
end Slow;
//! expect
// error[F040]: the evaluation takes more than 10083333 operations
//   ┌─ evaluation_without_end.mo:7:10
//   │
// 7 │     s := s + 1;
//   │          ^ evaluated at compile time
//   │
//   = hint: `--limit operations=302500000` allows ten times as much
//
