// A cut inside a tie: position and speed of an oscillator have one time scale.
//! command run MODEL --decouple cut=1
//! shown run MODEL -o a.csv --decouple cut=2
model DecoupleTie
  Real x(start = 1, fixed = true), v(start = 0, fixed = true), T(start = 1, fixed = true);
equation
  der(x) = v;
  der(v) = -100*x;
  der(T) = -0.1*T + x;
end DecoupleTie;
//! expect
// exit code 0
// warning: the step 7.5 is longer than the run
// exit code 0
// warning: the step 7.5 is longer than the run
// DecoupleTie from 0 to 1 (default), explicit/implicit Euler with step 7.5 (decoupling), results every 0.002 (default)
// decoupled: 2 of 3 states are fast and implicit, 1 slow and explicit
//   fast             x, v
//   why              the 2 fastest of 3 states were asked for
//   method           explicit/implicit Euler
//   step             7.5, fixed: no tolerance holds
//   spectral radius  0.250000 of a step at the start; above 1 errors grow
// steps                          1  (0 rejected)
// error test failures            0
// newton failures                0
// evaluation failures            0
// rhs evaluations                3
//   of slow states               1
//   of fast states               2  (Newton's method on 2 states)
// jacobians                      1
// factorisations                 1
// newton iterations              2
// crossing evaluations           0
// state events                   0
// time events                    0
// restarts                       1
// output points                501
//
// model evaluations            504
// evaluations of a part          3
// blocks solved                  0  (0 iterations)
// block residuals                0
// tangents                       1
// block factorisations           0
// event passes                   1  (0 events)
// results in a.csv
// files: DecoupleTie_res.mat a.csv
