model Square
  discrete Real x(start = 3);
  discrete Real u(start = 1, fixed = true);
equation
  x*x = u;
  when sample(0.2, 0.2) then
    u = pre(u) + 1;
  end when;
end Square;
//! expect
// error[S009]: a discrete equation cannot be solved for `x`
//   ┌─ discrete_equation_without_solution.mo:5:3
//   │
// 5 │   x*x = u;
//   │   ^^^^^^^ in this equation
//   │
//   = hint: write what the discrete variable equals: `variable = expression`
//
