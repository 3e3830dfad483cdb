model SpatialDistribution
  Real x(start = 0, fixed = true);
  Real a, b;
equation
  der(x) = 1;
  (a, b) = spatialDistribution(time, 0, x, true, {0.0, 1.0}, {0.0, 0.0});
end SpatialDistribution;
//! expect
// error[F010]: `spatialDistribution` is not supported
//   ┌─ spatial_distribution.mo:6:12
//   │
// 6 │   (a, b) = spatialDistribution(time, 0, x, true, {0.0, 1.0}, {0.0, 0.0});
//   │            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//   │
//   = hint: `delay` can take its place where the velocity does not change
//
