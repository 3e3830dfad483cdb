model Line
  Real x, left, right;
equation
  x = 0.5*time;
  (left, right) = spatialDistribution(sin(time), 0, x, true, {0, 1}, {0, 0});
end Line;
//! expect
// error[D001]: a spatialDistribution whose third argument is not a state is not supported
//   ┌─ spatial_distribution.mo:5:19
//   │
// 5 │   (left, right) = spatialDistribution(sin(time), 0, x, true, {0, 1}, {0, 0});
//   │                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ here
//   │
//   = hint: make it a variable `x` with `der(x) = velocity`
//
