// Two `semiLinear` in series with one flow: the slope between them is that of the side the flow comes from.
model Series
  input Real m;
  Real between;
  Real left;
  Real right;
equation
  left = semiLinear(m, 3 + time, between);
  left = semiLinear(m, between, 5 + time);
  right = 2*between;
end Series;
//! expect
// aliases of Series: 0 eliminated
// equations
//   e0: between = if m >= 0 then time + 3 else time + 5
//   e1: left = m*(if m >= 0 then time + 3 else time + 5)
//   e2: right = 2*between
