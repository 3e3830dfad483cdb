model WhenForm
  Real x(start = 0, fixed = true);
  discrete Real y(start = 0, fixed = true);
equation
  der(x) = 1;
  when x > 0.5 then
    2*y = x;
  end when;
end WhenForm;
//! expect
// error[D003]: an equation in a when must have a variable on its left-hand side
//   ┌─ when_equation_without_variable.mo:7:5
//   │
// 7 │     2*y = x;
//   │     ^^^^^^^ in this equation
//   │
//   = hint: write `variable = expression`; outside of `when` other forms are solved for the discrete variable
//
