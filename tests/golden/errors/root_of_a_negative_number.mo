model Root
  Real x(start = 1, fixed = true);
equation
  der(x) = -sqrt(x) - 0.1;
  annotation(experiment(StopTime = 3));
end Root;
//! expect
// error[R201]: the step size became too small: 1.080e-15 at time 1.52042505
//   ┌─ root_of_a_negative_number.mo:4:3
//   │
// 4 │   der(x) = -sqrt(x) - 0.1;
//   │   ^^^^^^^^^^^^^^^^^^^^^^^ der(x) is not a number: the square root of -0.0000000000000002953072281503332
//   │
//   = last accepted point at time 1.520425054726861, method bdf of order 4
//
