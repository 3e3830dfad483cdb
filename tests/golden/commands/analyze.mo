// What cycle analysis says of a motor: at the start, with the formula of the papers' figures, at given times, and what its cuts are worth.
//! shown analyze MODEL --at 0
//! shown analyze MODEL --at 0 --self-loop compat --alpha 1
//! shown analyze MODEL --at 0,2.5 --json
//! shown analyze MODEL --verify --html motor.html
model Analyze
  parameter Real L = 3e-3, R = 50e-3, J = 1500, b = 0.001, km = 6.785;
  Real I(start = 0, fixed = true), w(start = 0, fixed = true), phi(start = 0, fixed = true);
equation
  L*der(I) = 500 - R*I - km*w;
  J*der(w) = km*I - b*w - 2500;
  der(phi) = w;
  annotation(experiment(StopTime = 8));
end Analyze;
//! expect
// exit code 0
// model Analyze: 3 states, 4 cycles, at time 0
// in steps of explicit Euler, what goes once around a cycle of states comes back with 0.5 of its size (alpha)
//
//   state    step below  cycle
//   I              0.09  I
//   ---------------------
//   w          0.221076  I → w
//   phi            none  no cycle
//
// how far time scales lie apart (stiffness index sigma)        2.4564
// how clearly one gap parts them, 0 to 1 (separability s)      0
// largest by smallest rate of the model (ratio of eigenvalues) 25.1127
// cut 1     largest gap: 1 fast, 2 slow; gap 0.131076, factor 2.4564; step 0.110538, spectral radius 1
//           run it by  partita run analyze.mo --decouple 'pair=euler;cut=1;step=0.110538'
// note: 1 state is on no cycle that limits the step; it is slow in every cut
// exit code 0
// model Analyze: 3 states, 4 cycles, at time 0
// in steps of explicit Euler, what goes once around a cycle of states comes back with 1 of its size (alpha), a state by itself by the formula behind the papers' figures (compat)
//
//   state    step below  cycle
//   I         0.0638298  I
//   w          0.312649  I → w
//   ---------------------
//   phi               1  phi
//
// how far time scales lie apart (stiffness index sigma)        15.6667
// how clearly one gap parts them, 0 to 1 (separability s)      0.319002
// largest by smallest rate of the model (ratio of eigenvalues) 25.1127
// cut 2     largest gap: 2 fast, 1 slow; gap 0.687351, factor 3.19848; step 0.5, spectral radius 1
//           run it by  partita run analyze.mo --decouple 'pair=euler;cut=2;step=0.5'
// cut 1     largest log gap: 1 fast, 2 slow; gap 0.248819, factor 4.89816; step 0.156324, spectral radius 1
//           run it by  partita run analyze.mo --decouple 'pair=euler;cut=1;step=0.156324'
// exit code 0
// {
//   "alpha": 0.5,
//   "certified": true,
//   "clusters": [
//     [
//       "I"
//     ],
//     [
//       "w",
//       "phi"
//     ]
//   ],
//   "cuts": [
//     {
//       "after": 1,
//       "certified": true,
//       "fast": [
//         "I"
//       ],
//       "gap": 0.13107590272660283,
//       "h": 0.11053795136330141,
//       "kind": "largest gap",
//       "predicted": {
//         "steps_longer_than_explicit": 2.4563989191844757,
//         "unknowns_fewer_than_implicit": 3.0
//       },
//       "ratio": 2.4563989191844757,
//       "slow": [
//         "w",
//         "phi"
//       ],
//       "spectral_radius": 0.9999999999999998,
//       "spectral_radius_exact": true,
//       "threshold": 0.22107590272660282
//     }
//   ],
//   "cycles": 4,
//   "measured": [],
//   "model": "Analyze",
//   "notes": [
//     "1 state is on no cycle that limits the step; it is slow in every cut"
//   ],
//   "probe": "euler",
//   "self_loop": "printed",
//   "separability_index": 0.0,
//   "separability_terms": [
//     1.0
//   ],
//   "states": [
//     {
//       "exact": true,
//       "h_lower": 0.09,
//       "h_upper": 0.09,
//       "name": "I",
//       "unstable": false,
//       "witness": [
//         "I"
//       ]
//     },
//     {
//       "exact": true,
//       "h_lower": 0.22107590272660282,
//       "h_upper": 0.22107590272660282,
//       "name": "w",
//       "unstable": false,
//       "witness": [
//         "I",
//         "w"
//       ]
//     },
//     {
//       "exact": true,
//       "h_lower": null,
//       "h_upper": null,
//       "name": "phi",
//       "unstable": false,
//       "witness": []
//     }
//   ],
//   "stiffness_index": 2.4563989191844757,
//   "stiffness_ratio": 25.112682590763907,
//   "structural_cycles": 4,
//   "times": [
//     0.0,
//     2.5
//   ]
// }
// exit code 0
// model Analyze: 3 states, 4 cycles, at 21 operating points
// in steps of explicit Euler, what goes once around a cycle of states comes back with 0.5 of its size (alpha)
//
//   state    step below  cycle
//   I              0.09  I
//   ---------------------
//   w          0.221076  I → w
//   phi            none  no cycle
//
// how far time scales lie apart (stiffness index sigma)        2.4564
// how clearly one gap parts them, 0 to 1 (separability s)      0
// largest by smallest rate of the model (ratio of eigenvalues) 25.1127
// cut 1     largest gap: 1 fast, 2 slow; gap 0.131076, factor 2.4564; step 0.110538, spectral radius 1
//           run it by  partita run analyze.mo --decouple 'pair=euler;cut=1;step=0.110538'
// run 1     explicit/implicit Euler, step 0.110538: 73 steps, error 19.341 % of the range of I
// run 1     IMEX of order 3 (Ascher, Ruuth, Spiteri), adaptive step, tolerance 1e-4: 710 steps, error 0.001 % of the range of I
// run 1     explicit/implicit backward differentiation, adaptive step, tolerance 1e-4: 115 steps, error 0.003 % of the range of I
// note: 1 state is on no cycle that limits the step; it is slow in every cut
// report in motor.html
// files: motor.html
