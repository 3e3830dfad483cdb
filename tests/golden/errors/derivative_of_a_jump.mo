model Jump
  discrete Real d(start = 0, fixed = true);
  Real x, y;
equation
  when time > 0.5 then
    d = 1;
  end when;
  x = d;
  der(x) = y;
end Jump;
//! expect
// error[S004]: the model must be differentiated, but an equation has no derivative
//   ┌─ derivative_of_a_jump.mo:8:3
//   │
// 8 │   x = d;
//   │   ^^^^^ the derivative of `d`, which jumps at events, is not known
//   │
//   = hint: a function needs annotation(derivative = ...) or a body that can be differentiated; inputs and discrete variables have no derivative
//
