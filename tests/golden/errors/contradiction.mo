// The sum of two equations contradicts a third.
model Contradiction
  Real a, b, c;
equation
  a + b = c;
  c = a + b + 1;
  der(c) = a*b;
end Contradiction;
//! expect
// error[H001]: the model contradicts itself: linear equations add up to a number that is not zero
//   ┌─ contradiction.mo:6:3
//   │
// 5 │   a + b = c;
//   │   --------- one of the others
// 6 │   c = a + b + 1;
//   │   ^^^^^^^^^^^^^ this equation contradicts the others
//
