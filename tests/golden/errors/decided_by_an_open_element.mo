// An element of a local array that nobody assigned must not decide a branch.
function f
  input Real x;
  output Real y;
protected
  Real v[3];
  Real rest = x;
algorithm
  while rest > 1 loop
    rest := rest/2;
  end while;
  for i in 1:2 loop
    v[i] := rest;
  end for;
  y := if v[integer(3 - x)] > 0 then 1 else 2;
end f;

model DecidedByAnOpenElement
  Real y = f(0.5 - time);
end DecidedByAnOpenElement;
//! expect
// error[R205]: the results cannot be computed at time 0.5
//   ┌─ decided_by_an_open_element.mo:2:10
//   │
// 2 │ function f
//   │          ^ a value that decides what f does was never assigned, or is not a number (in function f)
//
