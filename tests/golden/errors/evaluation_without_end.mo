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
