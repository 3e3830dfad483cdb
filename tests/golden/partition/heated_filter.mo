// A fast filter with a nonlinear loop feeds a slow store: the slow part needs the filter's state, not its loop.
model HeatedFilter
  parameter Real R = 0.5;
  Real v(start = 1, fixed = true);
  Real T(start = 20, fixed = true);
  Real i, vd;
equation
  i = (3*sin(time) - vd - v)/R;
  vd = 0.1*i + 0.01*i^3;
  1e-3*der(v) = i - v;
  50*der(T) = v^2 - 0.2*(T - 20);
end HeatedFilter;
//! expect
// partition: the largest gap between time scales is after 1 of 2 states, certified
// fast v
// slow T
// step 187.5
// derivatives of all states: 38 instructions
// %0 = 3.0
// %1 = time
// %2 = Sin %1
// %3 = Mul %0, %2
// s12 := %3
// solve vd = 0.1*i + 0.01*i^3
// %0 = i
// %1 = v
// %2 = Sub %0, %1
// %3 = 0.001
// %4 = Div %2, %3
// der(v) := %4
// %6 = Mul %1, %1
// %7 = 0.2
// %8 = T
// %9 = 20.0
// %10 = Sub %8, %9
// %11 = Mul %7, %10
// %12 = Sub %6, %11
// %13 = 50.0
// %14 = Div %12, %13
// der(T) := %14
// derivatives of v: 28 instructions
// %0 = 3.0
// %1 = time
// %2 = Sin %1
// %3 = Mul %0, %2
// s12 := %3
// solve vd = 0.1*i + 0.01*i^3
// %0 = i
// %1 = v
// %2 = Sub %0, %1
// %3 = 0.001
// %4 = Div %2, %3
// der(v) := %4
// derivatives of T: 11 instructions
// %0 = v
// %1 = Mul %0, %0
// %2 = 0.2
// %3 = T
// %4 = 20.0
// %5 = Sub %3, %4
// %6 = Mul %2, %5
// %7 = Sub %1, %6
// %8 = 50.0
// %9 = Div %7, %8
// der(T) := %9
