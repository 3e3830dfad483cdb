// A model that is not worth a split runs as a whole and says why; a source that the step would miss is seen.
//! shown run MODEL -o a.csv --decouple
//! shown run MODEL -o b.csv --decouple cut=1 --at 0
//! shown run MODEL -o c.csv --decouple fast=x;step=0.1
model DecoupleWhole
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = -2*x + y;
  der(y) = x - 1.5*y + abs(sin(2*3.141592653589793*50*time));
  annotation(experiment(StopTime = 1));
end DecoupleWhole;
//! expect
// exit code 0
// DecoupleWhole from 0 to 1 (annotation), bdf with tolerance 1e-6 (default), results every 0.002 (default)
// not split, the run is that of all states: 2 states are solved for together in less time than it takes to part them; a split pays for many
// steps                       3362  (741 rejected)
// error test failures          741
// newton failures                0
// evaluation failures            0
// rhs evaluations             7138
// jacobians                     87
// factorisations              1105
// newton iterations           7009
// crossing evaluations           0
// state events                   0
// time events                    0
// restarts                       1
// output points                501
//
// model evaluations           8869
// blocks solved                  0  (0 iterations)
// block residuals                0
// tangents                    1036
// block factorisations           0
// event passes                   1  (0 events)
// results in a.csv
// exit code 1
// error[C003]: `cut=1` is inside a tie: x and y have the same bound
//  = both bounds are 0.7071067811865476, and no other state is slower; states of one time scale are not separated
//
//
// exit code 0
// warning: the step 0.1 is too long for what drives `y`: within steps its derivative differs from what their ends show (an undersampled source)
// warning: half the step changes `y` by 9.28 % of its range: the step 0.1 does not resolve the model
// DecoupleWhole from 0 to 1 (annotation), explicit/implicit Euler with step 0.1 (decoupling), results every 0.002 (default)
// decoupled: 1 of 2 states are fast and implicit, 1 slow and explicit
//   fast             x
//   why              the fast states were given by name
//   method           explicit/implicit Euler
//   step             0.1, fixed: no tolerance holds
//   spectral radius  0.930099 of a step at the start; above 1 errors grow
// steps                         10  (0 rejected)
// error test failures            0
// newton failures                0
// evaluation failures            0
// rhs evaluations               12
//   of slow states              10
//   of fast states              20  (Newton's method on 1 states)
// jacobians                      1
// factorisations                 2
// newton iterations             20
// crossing evaluations           0
// state events                   0
// time events                    0
// restarts                       1
// output points                501
//
// model evaluations            513
// evaluations of a part         21
// blocks solved                  0  (0 iterations)
// block residuals                0
// tangents                       1
// block factorisations           0
// event passes                   1  (0 events)
// results in c.csv
// files: a.csv c.csv
