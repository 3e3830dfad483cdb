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
