// Equations that have nothing in common make no loops.
model Straight
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = -x + sin(y);
  der(y) = x*y - time;
end Straight;
//! expect
// kernel k1: 9 instructions without loops
// kernel k2: 12 instructions without loops
