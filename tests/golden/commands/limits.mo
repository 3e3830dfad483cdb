model Doubled "a String that doubles itself, an array, a loop: each within a limit that the user may raise"
  constant String s = twice("0123456789", 20);
  constant Real v[:] = fill(1.5, 6000000);
  Real x[2];
equation
  x[1] = v[1]*time;
  x[2] = sum(x[1]*i for i in 1:4000);
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
//! command check MODEL --model Doubled --limit strings=2e7 --limit elements=6e6 --limit operations=1000
//! command check MODEL --limit strings=many
//! command check MODEL --limit text=1
//! expect
