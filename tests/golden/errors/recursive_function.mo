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
// error[D001]: function factorial calls itself, which is not supported
//   ┌─ recursive_function.mo:1:10
//   │
// 1 │ function factorial
//   │          ^^^^^^^^^ declared here
//   ·
// 5 │   y := if n > 1 then n*factorial(n - 1) else 1;
//   │                        ---------------- called here
//
