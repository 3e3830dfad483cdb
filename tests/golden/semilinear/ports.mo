// A pump without heat between two reservoirs: the enthalpies at its ports are determined even where the flow is zero.
model Series
  Real m = time - 1;
  Real H1, H2;
  Real port_a, port_b, inside;
  Real left = 10 + time, right = 20 - time;
equation
  H1 = semiLinear(m, left, port_a);
  H2 = semiLinear(-m, right, port_b);
  H1 = semiLinear(m, port_a, inside);
  -H1 = semiLinear(-m, port_b, inside);
  H1 + H2 = 0;
end Series;
//! expect
// aliases of Series: 1 eliminated
//   H2 = -H1
// equations
//   e0: m = time - 1
//   e1: left = time + 10
//   e2: right = 20 - time
//   e3: port_a = if m >= 0 then left else right
//   e4: H1 = m*(if m >= 0 then left else right)
//   e5: inside = port_a
//   e6: port_b = port_a
