// A function may call itself, but only so deep.
function factorial
  input Real n;
  output Real y;
algorithm
  y := if n > 1 then n*factorial(n - 1) else 1;
end factorial;
model Recursive
  Real x = factorial(100*time);
end Recursive;
//! expect
// error[R205]: the results cannot be computed at time 0.64
//   ┌─ recursive_function.mo:2:10
//   │
// 2 │ function factorial
//   │          ^^^^^^^^^ factorial calls itself more than 64 times deep (in function factorial)
//
