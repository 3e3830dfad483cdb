model DerivativeOfAnInput
  input Real u(start = 0);
  Real x, y;
equation
  x = 2*u;
  y = der(x);
end DerivativeOfAnInput;
//! expect
// error[S004]: the model must be differentiated, but an equation has no derivative
//   ┌─ derivative_of_an_input.mo:5:3
//   │
// 5 │   x = 2*u;
//   │   ^^^^^^^ the derivative of the input `u` is not known
//   │
//   = hint: a function needs annotation(derivative = ...) or a body that can be differentiated; inputs and discrete variables have no derivative
//
