function factorial
  input Real n;
  output Real y;
algorithm
  y := if n > 1 then n*factorial(n - 1) else 1;
end factorial;
model Recursive
  Real x = factorial(5 + time);
end Recursive;
//! expect
// error[D004]: function factorial calls itself
//   ┌─ recursive_function.mo:5:24
//   │
// 5 │   y := if n > 1 then n*factorial(n - 1) else 1;
//   │                        ^^^^^^^^^^^^^^^^ called here
//   ·
// 8 │   Real x = factorial(5 + time);
//   │            ------------------- called here: factorial
//
