// What our own rules reach: a quadratic in disguise, powers of a function, a product, both sides of an absolute value, a chain, a choice.
model Rules
  parameter Real P = 3, R = 2;
  Boolean high = time > 0.5;
  Real quotient(start = 1), energy(start = 1), factors(start = 1), drop(start = 1), chain(start = 1), choice(start = 1), root(start = 1);
equation
  P = 100*quotient/(R + quotient)^2;
  exp(2*energy) - 3*exp(energy) = time;
  (factors - 1)*(exp(factors) - 5) = 0;
  drop*abs(drop) + 0.1*drop = time - 0.5;
  tanh(chain^3 + time) = 0.5;
  (if high then choice^2 else 2*choice^2 + choice) = 3;
  root + sqrt(root) = 2 + time;
end Rules;
