model Body
  Real x(start = 0.25, fixed = true);
  discrete Real y(start = 0, fixed = true);
equation
  der(x) = -1;
  when time > 0.5 then
    y = if sqrt(x) > 0 then 1 else 2;
  end when;
end Body;
//! expect
// error[R102]: the event cannot be handled at time 0.5
//   ┌─ when_without_a_number.mo:7:12
//   │
// 7 │     y = if sqrt(x) > 0 then 1 else 2;
//   │            ^^^^^^^^^^^ the relation sqrt(x) > 0 compares a value that is not a number: the square root of -0.25000000000000006
//
