// Precedence, chains and calls print as they were read.
model Expressions
  Real x = 1 + 2*3 - 4^2/5;
  Boolean b = not x > 1 and x < 2 or x == 3;
  Real a[3] = {i^2 for i in 1:3};
equation
  x = if b then -x else sin(x)*(1 + a[2]);
end Expressions;
//! expect
// model Expressions
//   Real x = 1 + 2 * 3 - 4 ^ 2 / 5;
//   Boolean b = not x > 1 and x < 2 or x == 3;
//   Real a[3] = {i ^ 2 for i in 1:3};
// equation
//   x = if b then -x else sin(x) * (1 + a[2]);
// end Expressions;
