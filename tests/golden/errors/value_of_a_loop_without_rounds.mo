// A loop that goes round not once assigns nothing.
function last
  input Real x;
  output Real y;
protected
  Boolean is_found;
  Real rest = x;
algorithm
  while rest > 1 loop
    rest := rest/2;
    is_found := true;
  end while;
  for i in 1:integer(x) loop
    is_found := i > 1;
  end for;
  y := if is_found then 1 else 0;
end last;

model ValueOfALoopWithoutRounds
  Real y;
equation
  y = last(1.5 - time);
end ValueOfALoopWithoutRounds;
//! expect
// error[R205]: the results cannot be computed at time 0.5
//   ┌─ value_of_a_loop_without_rounds.mo:2:10
//   │
// 2 │ function last
//   │          ^^^^ is_found has no value here: it is assigned on other ways through the function only (in function last)
//
