model DivisionAtEvent
  Real x(start = 1, fixed = true);
  Real y(start = 0, fixed = true);
  discrete Real k(start = 1, fixed = true);
equation
  der(x) = -1;
  when x < 0.5 then
    k = 1/(pre(k) - 1);
  end when;
  der(y) = k;
end DivisionAtEvent;
//! expect
// error[R102]: the event cannot be handled at time 0.5
//   ┌─ division_by_zero_at_an_event.mo:8:5
//   │
// 8 │     k = 1/(pre(k) - 1);
//   │     ^^^^^^^^^^^^^^^^^^ k is infinite: division by zero, 1/0
//
