// A remainder by zero decides nothing.
function f
  input Integer a;
  input Integer b;
  output Real y;
algorithm
  y := if mod(a, b) > 2 then 1 else 0;
end f;

model RemainderOfZero
  Integer n = if time > 0.5 then 0 else 1;
  Real x = f(5, n);
end RemainderOfZero;
//! expect
// error[R104]: an assertion of the model failed: division by zero at time 0.5
//   ┌─ remainder_of_zero.mo:7:11
//   │
// 7 │   y := if mod(a, b) > 2 then 1 else 0;
//   │           ^^^^^^^^^
//   │
//   = n = 0
//
