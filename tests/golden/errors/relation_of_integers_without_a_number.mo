model Relation "Discrete code is evaluated at the event"
  Integer i(start = 2, fixed = true);
  Boolean b = sqrt(i) >= 0;
equation
  when time > 0.5 then
    i = -2;
  end when;
end Relation;
//! expect
// error[R102]: the event cannot be handled at time 0.5
//   ┌─ relation_of_integers_without_a_number.mo:3:15
//   │
// 3 │   Boolean b = sqrt(i) >= 0;
//   │               ^^^^^^^^^^^^ the relation sqrt(i) >= 0 compares a value that is not a number: the square root of -2
//
