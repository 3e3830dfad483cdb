model Doubled "a String that doubles itself: within a limit that the user may raise"
  parameter String s = twice("0123456789", 20);
  Real x = time;
end Doubled;
function twice
  input String s;
  input Integer n;
  output String t;
algorithm
  t := s;
  for i in 1:n loop
    t := t + t;
  end for;
end twice;
//! command check MODEL --model Doubled
//! command check MODEL --model Doubled --limit strings=2e7
//! command check MODEL --model Doubled --limit strings=2e7 --limit operations=100
//! command check MODEL --limit strings=many
//! command check MODEL --limit text=1
//! expect
// exit code 1
// error[F041]: a String has more than 1000579 bytes
//    ┌─ limits.mo:12:10
//    │
// 12 │     t := t + t;
//    │          ^^^^^ too large
//    │
//    = hint: `--limit strings=10005790` allows ten times as much
//
//
// exit code 0
// exit code 1
// error[F040]: evaluating its parameters and sizes takes more than 100 operations
//   ┌─ limits.mo:2:20
//   │
// 2 │   parameter String s = twice("0123456789", 20);
//   │                    ^ the limit is reached here
//   │
//   = hint: `--limit operations=1000` allows ten times as much
//
//
// exit code 2
// error: invalid value 'strings=many' for '--limit <NAME=NUMBER>': the limit `strings` needs a number between 1 and 1e18
//
// For more information, try '--help'.
// exit code 2
// error: invalid value 'text=1' for '--limit <NAME=NUMBER>': there is no limit `text`; there are strings, elements, operations, memory
//
// For more information, try '--help'.
// files:
