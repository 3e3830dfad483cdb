// The Brusselator on a line of N cells: a chemical oscillation with diffusion.
// Shows: arrays of states whose size is a parameter, loops with neighbours, a banded Jacobian.
// Expected: all cells oscillate; near the ends the fixed boundary values hold the concentrations down.
model Brusselator "Oscillating reaction with diffusion in one dimension"
  parameter Integer N = 20 "number of cells";
  parameter Real A = 1, B = 3 "feeds, and the values at both ends";
  parameter Real alpha = 0.02 "diffusion";
  parameter Real k = alpha*(N + 1)^2 "exchange between neighbours";
  constant Real pi = 3.141592653589793;
  Real u[N](start = {1 + sin(2*pi*i/(N + 1)) for i in 1:N}, each fixed = true);
  Real v[N](each start = 3, each fixed = true);
  Real left_u, left_v, right_u, right_v "boundary values";
equation
  left_u = A;
  right_u = A;
  left_v = B;
  right_v = B;
  for i in 1:N loop
    der(u[i]) = A + u[i]^2*v[i] - (B + 1)*u[i] + k*((if i == 1 then left_u else u[max(i - 1, 1)]) - 2*u[i] + (if i == N then right_u else u[min(i + 1, N)]));
    der(v[i]) = B*u[i] - u[i]^2*v[i] + k*((if i == 1 then left_v else v[max(i - 1, 1)]) - 2*v[i] + (if i == N then right_v else v[min(i + 1, N)]));
  end for;
  annotation(experiment(StopTime = 10, Tolerance = 1e-7));
end Brusselator;
