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
//! expect
// start
//   quotient: in closed form
//     0 = [(P*(R*R)) + (P*(2*R) - 100)*quotient + (P)*quotient^2] / [(R*R) + (2*R)*quotient + (1)*quotient^2]
//   energy: by Newton's method
//   factors: in closed form
//    root 1 of 2
//     0 = (-1) + (1)*factors
//    root 2 of 2
//     0 = (-5) + (1)*u1
//     u1 = exp(factors)
//   drop: in closed form
//    root 1 of 2
//     0 = (0.5 - time) + (0.1)*drop + (-1)*drop^2, drop <= 0
//    root 2 of 2
//     0 = (0.5 - time) + (0.1)*drop + (1)*drop^2, drop >= 0
//   chain: in closed form where Newton's method fails
//     0 = (-0.5) + (1)*u1
//     u1 = tanh(u2)
//     u2 = (time) + (1)*chain^3
//   choice: in closed form
//     0 = (-3) + (if high then 0 else 1)*choice + (if high then 1 else 2)*choice^2
//   root: in closed form
//     0 = (-(time + 2)) + (1)*u1 + (1)*u1^2, u1 >= 0
//     u1 = sqrt(root)
// simulation
//   quotient: in closed form
//     0 = [(P*(R*R)) + (P*(2*R) - 100)*quotient + (P)*quotient^2] / [(R*R) + (2*R)*quotient + (1)*quotient^2]
//   energy: by Newton's method
//   factors: in closed form
//    root 1 of 2
//     0 = (-1) + (1)*factors
//    root 2 of 2
//     0 = (-5) + (1)*u1
//     u1 = exp(factors)
//   drop: in closed form
//    root 1 of 2
//     0 = (0.5 - time) + (0.1)*drop + (-1)*drop^2, drop <= 0
//    root 2 of 2
//     0 = (0.5 - time) + (0.1)*drop + (1)*drop^2, drop >= 0
//   chain: in closed form where Newton's method fails
//     0 = (-0.5) + (1)*u1
//     u1 = tanh(u2)
//     u2 = (time) + (1)*chain^3
//   choice: in closed form
//     0 = (-3) + (if high then 0 else 1)*choice + (if high then 1 else 2)*choice^2
//   root: in closed form
//     0 = (-(time + 2)) + (1)*u1 + (1)*u1^2, u1 >= 0
//     u1 = sqrt(root)
// events
//   quotient: in closed form
//     0 = [(P*(R*R)) + (P*(2*R) - 100)*quotient + (P)*quotient^2] / [(R*R) + (2*R)*quotient + (1)*quotient^2]
//   energy: by Newton's method
//   factors: in closed form
//    root 1 of 2
//     0 = (-1) + (1)*factors
//    root 2 of 2
//     0 = (-5) + (1)*u1
//     u1 = exp(factors)
//   drop: in closed form
//    root 1 of 2
//     0 = (0.5 - time) + (0.1)*drop + (-1)*drop^2, drop <= 0
//    root 2 of 2
//     0 = (0.5 - time) + (0.1)*drop + (1)*drop^2, drop >= 0
//   chain: in closed form where Newton's method fails
//     0 = (-0.5) + (1)*u1
//     u1 = tanh(u2)
//     u2 = (time) + (1)*chain^3
//   choice: in closed form
//     0 = (-3) + (if high then 0 else 1)*choice + (if high then 1 else 2)*choice^2
//   root: in closed form
//     0 = (-(time + 2)) + (1)*u1 + (1)*u1^2, u1 >= 0
//     u1 = sqrt(root)
