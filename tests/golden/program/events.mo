// A state event with `reinit` and a time event: crossing function, threshold, and the event schedule.
model Events
  Real x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = if time < 0.3 then 1 else 2;
  when x > 1 then
    n = pre(n) + 1;
    reinit(x, 0);
  end when;
end Events;
//! expect
// program Events: 12 slots, 7 kernels
// states x
// parameters:
// initial: k0
// derivatives: k1
// before crossings:
// outputs:
// event: k3
// tangent of k1: k2
// kernel k0
// %0 = time
// %1 = 0.3
// %2 = Lt %0, %1
// $relation1 := %2
// %4 = 1.0
// %5 = 2.0
// %6 = if %2 then %4 else %5
// der(x) := %6
// %8 = 0.0
// pre(n) := %8
// n := %8
// $when3 := %8
// $reinit4 := %8
// %13 = start(x)
// x := %13
// %15 = Gt %13, %4
// $relation2 := %15
// pre($relation2) := %8
// kernel k1
// %0 = $relation1
// %1 = 1.0
// %2 = 2.0
// %3 = if %0 then %1 else %2
// der(x) := %3
// kernel k2
// %0 = 0.0
// out[3] := %0
// kernel k3
// %0 = time
// %1 = 0.3
// %2 = Lt %0, %1
// $relation1 := %2
// %4 = 1.0
// %5 = 2.0
// %6 = if %2 then %4 else %5
// der(x) := %6
// %8 = x
// %9 = Gt %8, %4
// $relation2 := %9
// %11 = pre($relation2)
// %12 = Not %11
// %13 = And %9, %12
// $when3 := %13
// %15 = pre(n)
// %16 = Add %15, %4
// %17 = if %13 then %16 else %15
// n := %17
// %19 = 0.0
// $reinit4 := %19
// kernel k4
// %0 = x
// %1 = 1.0
// %2 = Sub %0, %1
// out[0] := %2
// kernel k5
// %0 = time
// %1 = 0.3
// %2 = Lt %0, %1
// out[0] := %2
// %4 = x
// %5 = 1.0
// %6 = Gt %4, %5
// out[1] := %6
// kernel k6
// %0 = 0.3
// out[0] := %0
