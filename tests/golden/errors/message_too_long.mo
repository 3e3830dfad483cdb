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
