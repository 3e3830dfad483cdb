function twice
  input Integer n;
  output String s;
algorithm
  s := "0123456789";
  for i in 1:n loop
    s := s + s;
  end for;
end twice;
model Long "a String that doubles itself"
  parameter String s = twice(40);
  Real x = time;
end Long;
//! expect
// error[F041]: a String has more than 1000245 bytes
//   ┌─ string_too_long.mo:7:10
//   │
// 7 │     s := s + s;
//   │          ^^^^^ too large
//   │
//   = hint: `--limit strings=10002450` allows ten times as much
//
