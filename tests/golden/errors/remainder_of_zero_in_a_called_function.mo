// The same where the function is called.
function f
  input Integer a;
  input Integer b;
  input Real x;
  output Real y;
protected
  Real rest = x;
algorithm
  while rest > 1 loop
    rest := rest/2;
  end while;
  y := if rem(a, b) > 2 then rest else 0;
end f;

model RemainderOfZeroInACalledFunction
  Integer n = if time > 0.5 then 0 else 1;
  Real x = f(5, n, time);
end RemainderOfZeroInACalledFunction;
//! expect
// error[R102]: the event cannot be handled at time 0.5
//   ┌─ remainder_of_zero_in_a_called_function.mo:2:10
//   │
// 2 │ function f
//   │          ^ division by zero (in function f)
//
