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
// program Events: 14 slots, 8 kernels
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
// out[2] := %0
// kernel k3
// %0 = $event_time
// %1 = 1.0
// %2 = 0.3
// %3 = Lt %0, %2
// $relation1 := %3
// %5 = 2.0
// %6 = if %3 then %1 else %5
// der(x) := %6
// %8 = x
// %9 = Sub %8, %1
// %10 = Abs %9
// %11 = s13
// %12 = 0.0
// %13 = Le %10, %11
// %14 = Gt %10, %12
// %15 = And %13, %14
// %16 = $relation2
// %17 = Gt %8, %1
// %18 = if %15 then %16 else %17
// $relation2 := %18
// %20 = pre($relation2)
// %21 = Not %20
// %22 = And %18, %21
// $when3 := %22
// %24 = pre(n)
// %25 = Add %24, %1
// %26 = if %22 then %25 else %24
// n := %26
// $reinit4 := %12
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
// %0 = x
// %1 = Abs %0
// %2 = 1.0
// %3 = Max %1, %2
// out[0] := %3
// kernel k7
// %0 = 0.3
// out[0] := %0
