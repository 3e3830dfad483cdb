// Orders that are not reduced: what is not affine, does not decay, is too large, has no states, jumps, has no inputs; wishes that do not fit.
//! file square.mo model Square|  Real x(start = 1, fixed = true);|equation|  der(x) = sin(time) - x^2;|end Square;|
//! file product.mo model Product|  Real x(start = 1, fixed = true), u;|equation|  u = 1 + sin(time);|  der(x) = -u*x + 1;|end Product;|
//! file grows.mo model Grows|  Real x(start = 1, fixed = true), y(start = 0, fixed = true);|equation|  der(x) = sin(time) - x + 3*y;|  der(y) = x - y;|end Grows;|
//! file adds.mo model Adds|  Real x(start = 1, fixed = true), y(start = 0, fixed = true);|equation|  der(x) = sin(time) - x;|  der(y) = x;|end Adds;|
//! file free.mo model Free|  Real x(start = 1, fixed = true);|equation|  der(x) = -x;|end Free;|
//! file still.mo model Still|  Real x;|equation|  x = sin(time);|end Still;|
//! file large.mo model Large|  Real x[2001](each start = 0, each fixed = true);|equation|  for i in 1:2001 loop|    der(x[i]) = time - x[i];|  end for;|end Large;|
//! file jumps.mo model Jumps|  Real x(start = 1, fixed = true);|equation|  der(x) = sin(time) - x;|  when time > 0.5 then|    reinit(x, 2);|  end when;|end Jumps;|
//! command reduce square.mo --by order --output x
//! command reduce product.mo --by order --output x
//! command reduce grows.mo --by order --output x
//! command reduce adds.mo --by order --output y
//! command reduce free.mo --by order --output x
//! command reduce still.mo --by order --output x
//! command reduce large.mo --by order --output x[1]
//! command reduce jumps.mo --by order --output x
//! command reduce MODEL --by order --output der(x)
//! command reduce MODEL --by order --output q
//! command reduce MODEL --by order --output y --error 1e-9%
//! command reduce MODEL --by order --output y --order 4
//! command reduce MODEL --by order --output y --scenarios 3
//! command reduce MODEL --by order --output y --scenarios missing.csv
//! command reduce MODEL --by order --output y --reset c
//! command reduce MODEL --by order --output y --reset d
//! command reduce MODEL --by order --output y --set k=2
//! command reduce MODEL --by terms --output y --order 2
model ReduceOrderRefused
  parameter Real k = 1;
  Real x(start = 0, fixed = true), z(start = 0, fixed = true), y;
equation
  der(x) = sin(time) - x + 0.5*z;
  der(z) = x - 2*z;
  y = x + z;
  annotation(experiment(StopTime = 10, Tolerance = 1e-8));
end ReduceOrderRefused;
//! expect
// exit code 1
// error[C111]: the equation for `der(x)` is not affine in the states: x*x
//   ┌─ square.mo:4:3
//   │
// 4 │   der(x) = sin(time) - x^2;
//   │   ^^^^^^^^^^^^^^^^^^^^^^^^ this equation
//   │
//   = with relations and discrete variables frozen, derivatives and outputs have to be sums of states and signals with constant factors
//
//
// exit code 1
// error[C111]: the equation for `der(x)` is not affine in the states: x*u
//   ┌─ product.mo:5:3
//   │
// 5 │   der(x) = -u*x + 1;
//   │   ^^^^^^^^^^^^^^^^^ this equation
//   │
//   = with relations and discrete variables frozen, derivatives and outputs have to be sums of states and signals with constant factors
//
//
// exit code 1
// error[C112]: the model is unstable: its eigenvalue 7.320508e-1 does not decay, most of all in `x`
//   ┌─ grows.mo:2:8
//   │
// 2 │   Real x(start = 1, fixed = true), y(start = 0, fixed = true);
//   │        ^ this state
//   │
//   = balancing needs every motion of the free system to end at rest
//
//
// exit code 1
// error[C112]: the model is integrating: its eigenvalue 0.000000e0 does not decay, most of all in `y`
//   ┌─ adds.mo:2:36
//   │
// 2 │   Real x(start = 1, fixed = true), y(start = 0, fixed = true);
//   │                                    ^ this state
//   │
//   = balancing needs every motion of the free system to end at rest
//
//
// exit code 1
// error[C114]: no signal reaches `x` through a state: there is nothing to balance
//  = hint: balancing compares what inputs reach with what outputs show; a free motion alone has neither
//
//
// exit code 1
// error[C114]: the model Still has no continuous states: there is no order to reduce
//
//
// exit code 1
// error[C113]: the model Large has 2001 states; the order of at most 2000 can be reduced
//  = the algebra is dense: its time grows with the cube of their number
//
//
// exit code 1
// error[C115]: `reinit` sets a state that the smaller model does not have
//   ┌─ jumps.mo:6:5
//   │
// 6 │     reinit(x, 2);
//   │     ^^^^^^^^^^^^ here
//
//
// exit code 1
// error[C115]: `der(x)` is a derivative, which a model of lower order does not have
//  = hint: choose a variable that is not one
//
//
// exit code 1
// error[C107]: the model has no variable `q`
//  = it has `x`, `z`, `y`, `der(x)`, `der(z)`
//
//
// exit code 1
// error[C116]: no order up to 2 keeps the outputs within 0.000000001 % of their range
//  = order 2 is best, with 0.0000 %
//  = hint: `--order K` writes an order in spite of its error; `--measure any-time` does not mind when something happens
//
//
// exit code 1
// error[C117]: order 4 is more than what signals reach and outputs show: 2 of 2 states
//  = hint: take order 2 or less
//
//
// exit code 1
// error[C118]: the model has no inputs that noise could be put on
//  = hint: scenarios differ in the inputs of the model
//
//
// exit code 2
// error: --scenarios: cannot read `missing.csv`: No such file or directory (os error 2)
// exit code 2
// error: --horizon goes with --reset c, and --reset c needs it
// exit code 2
// error: invalid value 'd' for '--reset <RESET>': there is no reset `d`; there are inputs, a, b, c
//
// For more information, try '--help'.
// exit code 2
// error: --by order writes parameters as numbers: put the values into the model instead of --set
// exit code 2
// error: --order, --reset, --truncate and --scenarios go with --by order
// files: adds.mo free.mo grows.mo jumps.mo large.mo product.mo square.mo still.mo
