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
