model Held
  discrete Real x(start = 0, fixed = true);
  Real y = der(2*x);
equation
  when time > 0.5 then
    x = 1;
  end when;
end Held;
//! expect
// error[D012]: `der` of what changes at events only
//   ┌─ derivative_of_a_discrete_variable.mo:3:12
//   │
// 3 │   Real y = der(2*x);
//   │            ^^^^^^^^ x is discrete
//   │
//   = hint: a discrete variable is constant between events and jumps at them; it has no derivative
//
