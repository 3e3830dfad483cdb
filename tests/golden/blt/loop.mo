// Two loops and what follows from them; blocks come in the order in which they can be computed.
model Loop
  Real a, b, c, d, x(start = 1, fixed = true);
equation
  a + 2*b = x;
  a - b = 3*time;
  c = exp(d);
  c + d = x + 2;
  der(x) = a + c;
end Loop;
//! expect
// block 0: a, b from
//   a + 2*b = x
//   a - b = 3*time
// block 1: c, d from
//   c = exp(d)
//   c + d = x + 2
// block 2: der(x) from der(x) = a + c
