// The same where the function is called, not inlined, and where the value would decide something.
function decide
  input Real x;
  output Real y;
protected
  Real t;
  Real rest = x;
algorithm
  while rest > 1 loop
    rest := rest/2;
  end while;
  if x > 0.5 then
    t := 2;
  end if;
  y := if t > 1 then 1 else 0;
end decide;

model ValueOnOtherWaysOfACalledFunction
  Real y;
equation
  y = decide(1 - time);
end ValueOnOtherWaysOfACalledFunction;
//! expect
// error[R205]: the results cannot be computed at time 0.5
//   ┌─ value_on_other_ways_of_a_called_function.mo:2:10
//   │
// 2 │ function decide
//   │          ^^^^^^ t has no value here: it is assigned on other ways through the function only (in function decide)
//
