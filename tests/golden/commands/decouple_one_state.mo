// One state: nothing to separate for an analysis; runs and simulators say so and run.
//! command analyze MODEL
//! shown run MODEL -o a.csv --decouple
//! command build MODEL --decouple
model DecoupleOneState
  Real level(start = 1, fixed = true);
equation
  der(level) = -level;
end DecoupleOneState;
//! expect
// exit code 1
// error[C004]: the model has only one continuous state; there is nothing to separate
//  = cycle analysis sorts continuous states by their time scales and needs at least two of them
//
//
// exit code 0
// DecoupleOneState from 0 to 1 (default), bdf with tolerance 1e-6 (default), results every 0.002 (default)
// not split, the run is that of all states: the model has one state, and a split needs two
// steps                         18  (1 rejected)
// error test failures            1
// newton failures                0
// evaluation failures            0
// rhs evaluations               60
// jacobians                      1
// factorisations                 5
// newton iterations             43
// crossing evaluations           0
// state events                   0
// time events                    0
// restarts                       1
// output points                501
//
// model evaluations            600
// blocks solved                  0  (0 iterations)
// block residuals                0
// tangents                      14
// block factorisations           0
// event passes                   1  (0 events)
// results in a.csv
// exit code 0
// files: DecoupleOneState a.csv
