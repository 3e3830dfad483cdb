// A current source with a large resistor beside it, whose current is limited without events: iterating on the current would magnify
// its error a hundred thousand times, so the voltage is iterated on.
model SmallDivisor
  Real i, v, source, error;
equation
  v = 1e5*(source - i);
  v = (2 + i^2)*i;
  source = noEvent(if error > 0 then 0 else error);
  error = 10 - abs(v) - time;
end SmallDivisor;
//! expect
// nonlinear system 0 of 4 equations, iterating on 1 unknown
//   error := 10 - abs(v) - time
//   source := if error > 0 then 0 else error
//   i := source - v/100000
//   solve for v: 0 = v - i*(i*i + 2)
