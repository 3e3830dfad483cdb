// A motor, decoupled by the run itself and verified; mixed-mode runs: by the largest gap; with given states and step; at the operating point of the papers.
//! shown run MODEL -o a.csv --decouple --verify
//! shown run MODEL -o g.csv --decouple pair=euler --verify
//! shown run MODEL -o h.csv --decouple pair=euler;cut=2
//! shown run MODEL -o b.csv --decouple fast=I;step=0.2 --no-events --verify
//! shown run MODEL -o c.csv --decouple step=adaptive --pair imex4 --tolerance 1e-4
//! shown run MODEL -o f.csv --decouple --pair bdf --tolerance 1e-4
//! shown run MODEL -o d.csv --decouple h=0.1 --at 0
//! shown run MODEL -o e.csv --decouple alpha=0.5 --step 0.05
model Decouple
  parameter Real L = 3e-3, R = 50e-3, J = 1500, b = 0.001, km = 6.785;
  Real I(start = 0, fixed = true), w(start = 0, fixed = true), phi(start = 0, fixed = true);
equation
  L*der(I) = 500 - R*I - km*w;
  J*der(w) = km*I - b*w - 2500;
  der(phi) = w;
  annotation(experiment(StopTime = 8));
end Decouple;
//! expect
// exit code 0
// Decouple from 0 to 8 (annotation), bdf with tolerance 1e-6 (default), results every 0.016 (default)
// not split, the run is that of all states: 3 states are solved for together in less time than it takes to part them; a split pays for many
// steps                        166  (10 rejected)
// error test failures           10
// newton failures                0
// evaluation failures            0
// rhs evaluations              312
// jacobians                      5
// factorisations                28
// newton iterations            286
// crossing evaluations           0
// state events                   0
// time events                    0
// restarts                       1
// output points                501
//
// model evaluations            939
// blocks solved                  0  (0 iterations)
// block residuals                0
// tangents                      94
// block factorisations           0
// event passes                   1  (0 events)
// results in a.csv
// verified against bdf with tolerance 1e-11 at 504 points
//   error as part of a signal's range, the largest; derivatives of states are not compared
//     I                                  0.000 %  (3.364e-3 of 9.131e3 at time 0.461233)
//     w                                  0.000 %  (8.688e-6 of 7.053e1 at time 4.453280)
//     phi                                0.000 %  (1.361e-5 of 4.527e2 at time 4.453280)
//   at the points that are written, at most 0.000 % (I at time 0.448000)
//   largest relative error of a state        0.00000168
//   largest absolute error of a state        0.00336402
//   epsilon of |e| <= eps + eps*|y|          0.00000167  (depends on units)
// exit code 1
// warning: half the step changes `I` by 8.23 % of its range: the step 0.11053795136330141 does not resolve the model
// warning: the error is 30.20 % of a signal's range: no speed-up is claimed for a wrong result
// Decouple from 0 to 8 (annotation), explicit/implicit Euler with step 0.11053795136330141 (decoupling), results every 0.016 (default)
// decoupled: 1 of 3 states are fast and implicit, 2 slow and explicit
//   fast             I
//   why              the largest gap between time scales is after 1 of 3 states
//   method           explicit/implicit Euler
//   step             0.11053795136330141, fixed: no tolerance holds
//   spectral radius  1.000000 of a step at the start; above 1 errors grow
// steps                         73  (0 rejected)
// error test failures            0
// newton failures                0
// evaluation failures            0
// rhs evaluations               21
//   of slow states              73
//   of fast states              83  (Newton's method on 1 states)
// jacobians                      1
// factorisations                 2
// newton iterations             83
// crossing evaluations           0
// state events                   0
// time events                    0
// restarts                       1
// output points                501
//
// model evaluations            522
// evaluations of a part        156
// blocks solved                  0  (0 iterations)
// block residuals                0
// tangents                       1
// block factorisations           0
// event passes                   1  (0 events)
// results in g.csv
// verified against bdf with tolerance 1e-11 at 74 points
//   error as part of a signal's range, the largest; derivatives of states are not compared
//     I                                 19.340 %  (1.766e3 of 9.130e3 at time 0.110538)
//     w                                  5.857 %  (4.131e0 of 7.053e1 at time 0.331614)
//     phi                                1.851 %  (8.381e0 of 4.527e2 at time 4.642594)
//   at the points that are written, at most 30.197 % (I at time 0.064000)
//   largest relative error of a state        1.07339978
//   largest absolute error of a state        1765.87295502
//   epsilon of |e| <= eps + eps*|y|          0.76758369  (depends on units)
//   half the step changes at most            8.226 % of a range
//   speed-up                                 none: the result is wrong
// exit code 0
// warning: half the step changes `I` by 2.42 % of its range: the step 0.016 does not resolve the model
// Decouple from 0 to 8 (annotation), explicit/implicit Euler with step 0.016 (decoupling), results every 0.016 (default)
// decoupled: 2 of 3 states are fast and implicit, 1 slow and explicit
//   fast             I, w
//   why              the 2 fastest of 3 states were asked for
//   method           explicit/implicit Euler
//   step             0.016, fixed: no tolerance holds
//   spectral radius  1.000000 of a step at the start; above 1 errors grow
// steps                        500  (0 rejected)
// error test failures            0
// newton failures                0
// evaluation failures            0
// rhs evaluations               33
//   of slow states             500
//   of fast states             533  (Newton's method on 2 states)
// jacobians                      5
// factorisations                 6
// newton iterations            533
// crossing evaluations           0
// state events                   0
// time events                    0
// restarts                       1
// output points                501
//
// model evaluations            534
// evaluations of a part        538
// blocks solved                  0  (0 iterations)
// block residuals                0
// tangents                      10
// block factorisations           0
// event passes                   1  (0 events)
// results in h.csv
// exit code 1
// warning: half the step changes `I` by 7.56 % of its range: the step 0.2 does not resolve the model
// warning: the error is 46.04 % of a signal's range: no speed-up is claimed for a wrong result
// Decouple from 0 to 8 (annotation), explicit/implicit Euler with step 0.2 (decoupling), results every 0.016 (default)
// decoupled: 1 of 3 states are fast and implicit, 2 slow and explicit
//   fast             I
//   why              the fast states were given by name
//   method           explicit/implicit Euler
//   step             0.2, fixed: no tolerance holds
//   spectral radius  1.000000 of a step at the start; above 1 errors grow
// steps                         40  (0 rejected)
// error test failures            0
// newton failures                0
// evaluation failures            0
// rhs evaluations               18
//   of slow states              40
//   of fast states              80  (Newton's method on 1 states)
// jacobians                      1
// factorisations                21
// newton iterations             80
// crossing evaluations           0
// state events                   0
// time events                    0
// restarts                       1
// output points                501
//
// model evaluations            519
// evaluations of a part        101
// blocks solved                  0  (0 iterations)
// block residuals                0
// tangents                       1
// block factorisations           0
// event passes                   1  (0 events)
// results in b.csv
// verified against bdf with tolerance 1e-11 at 41 points
//   error as part of a signal's range, the largest; derivatives of states are not compared
//     I                                 15.300 %  (1.397e3 of 9.130e3 at time 0.200000)
//     w                                 10.364 %  (7.309e0 of 7.053e1 at time 0.400000)
//     phi                                3.355 %  (1.519e1 of 4.527e2 at time 4.600000)
//   at the points that are written, at most 46.040 % (I at time 0.080000)
//   largest relative error of a state        1.05608411
//   largest absolute error of a state        1396.92919193
//   epsilon of |e| <= eps + eps*|y|          0.90398631  (depends on units)
//   half the step changes at most            7.557 % of a range
//   speed-up                                 none: the result is wrong
// exit code 0
// Decouple from 0 to 8 (annotation), IMEX of order 4 (Kennedy, Carpenter) with tolerance 1e-4 (flag), results every 0.016 (default)
// decoupled: 1 of 3 states are fast and implicit, 2 slow and explicit
//   fast             I
//   why              the largest gap between time scales is after 1 of 3 states
//   method           IMEX of order 4 (Kennedy, Carpenter)
//   step             adaptive
//   spectral radius  1.000000 of a step at the start with step 0.11053795136330141; above 1 errors grow
// steps                         99  (0 rejected)
// error test failures            0
// newton failures                0
// evaluation failures            0
// rhs evaluations               23
//   of slow states             594
//   of fast states             604  (Newton's method on 1 states)
// jacobians                      5
// factorisations                31
// newton iterations            505
// crossing evaluations           0
// state events                   0
// time events                    0
// restarts                       1
// output points                501
//
// model evaluations            598
// evaluations of a part       1203
// blocks solved                  0  (0 iterations)
// block residuals                0
// tangents                      55
// block factorisations           0
// event passes                   1  (0 events)
// results in c.csv
// exit code 0
// Decouple from 0 to 8 (annotation), explicit/implicit backward differentiation with tolerance 1e-4 (flag), results every 0.016 (default)
// decoupled: 1 of 3 states are fast and implicit, 2 slow and explicit
//   fast             I
//   why              the largest gap between time scales is after 1 of 3 states
//   method           explicit/implicit backward differentiation
//   step             adaptive
//   spectral radius  1.000000 of a step at the start with step 0.11053795136330141; above 1 errors grow
// steps                        115  (3 rejected)
// error test failures            3
// newton failures                0
// evaluation failures            0
// rhs evaluations               23
//   of slow states             118
//   of fast states             122  (Newton's method on 1 states)
// jacobians                      2
// factorisations                29
// newton iterations            122
// crossing evaluations           0
// state events                   0
// time events                    0
// restarts                       1
// output points                501
//
// model evaluations            598
// evaluations of a part        242
// blocks solved                  0  (0 iterations)
// block residuals                0
// tangents                      52
// block factorisations           0
// event passes                   1  (0 events)
// results in f.csv
// exit code 0
// warning: half the step changes `I` by 7.95 % of its range: the step 0.1 does not resolve the model
// Decouple from 0 to 8 (annotation), explicit/implicit Euler with step 0.1 (decoupling), results every 0.016 (default)
// decoupled: 1 of 3 states are fast and implicit, 2 slow and explicit
//   fast             I
//   why              1 of 3 states have a bound below 0.1
//   method           explicit/implicit Euler
//   step             0.1, fixed: no tolerance holds
//   spectral radius  1.000000 of a step at the start; above 1 errors grow
// steps                         80  (0 rejected)
// error test failures            0
// newton failures                0
// evaluation failures            0
// rhs evaluations               21
//   of slow states              80
//   of fast states              90  (Newton's method on 1 states)
// jacobians                      1
// factorisations                 2
// newton iterations             90
// crossing evaluations           0
// state events                   0
// time events                    0
// restarts                       1
// output points                501
//
// model evaluations            522
// evaluations of a part        155
// blocks solved                  0  (0 iterations)
// block residuals                0
// tangents                       1
// block factorisations           0
// event passes                   1  (0 events)
// results in d.csv
// exit code 0
// warning: half the step changes `I` by 5.07 % of its range: the step 0.05 does not resolve the model
// Decouple from 0 to 8 (annotation), explicit/implicit Euler with step 0.05 (flag), results every 0.016 (default)
// decoupled: 1 of 3 states are fast and implicit, 2 slow and explicit
//   fast             I
//   why              the largest gap between time scales is after 1 of 3 states
//   method           explicit/implicit Euler
//   step             0.05, fixed: no tolerance holds
//   spectral radius  1.000000 of a step at the start; above 1 errors grow
// steps                        160  (0 rejected)
// error test failures            0
// newton failures                0
// evaluation failures            0
// rhs evaluations               24
//   of slow states             160
//   of fast states             175  (Newton's method on 1 states)
// jacobians                      2
// factorisations                 3
// newton iterations            175
// crossing evaluations           0
// state events                   0
// time events                    0
// restarts                       1
// output points                501
//
// model evaluations            525
// evaluations of a part        329
// blocks solved                  0  (0 iterations)
// block residuals                0
// tangents                       2
// block factorisations           0
// event passes                   1  (0 events)
// results in e.csv
// files: a.csv b.csv c.csv d.csv e.csv f.csv g.csv h.csv
