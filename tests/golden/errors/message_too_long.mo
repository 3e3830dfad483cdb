function twice
  input Real x;
  output String s;
algorithm
  s := String(x);
  for i in 1:40 loop
    s := s + s;
  end for;
end twice;
model Long "a message of a run that doubles itself"
  Real x = time;
equation
  assert(x < 2, twice(x));
end Long;
//! expect
// error[D021]: a String has more than 1000252 bytes
//   ┌─ message_too_long.mo:7:10
//   │
// 7 │     s := s + s;
//   │          ^^^^^ too large
//   │
//   = hint: `--limit strings=10002520` allows ten times as much
//
