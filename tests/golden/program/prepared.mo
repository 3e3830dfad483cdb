// What a system holds that does not depend on its unknowns is computed once before it: the residual kernel reads it.
model Prepared
  Real x(start = 1, fixed = true), a, b;
equation
  der(x) = a;
  exp(x)*a + sin(x)*b = x;
  a - cos(x)*b = 1;
end Prepared;
//! expect
// program Prepared: 21 slots, 15 kernels
// states x
// parameters:
// initial: k0 b0 k3
// derivatives: k4 b1 k9
// before crossings:
// outputs:
// event: k11 b2 k14
// tangent of k4: k5
// tangent of k9: k10
// b0: linear, unknowns b, a, residual k1, tangent k2
//   a*exp(x) + b*sin(x) = x
//   a - b*cos(x) = 1
// b1: linear, unknowns b, a, residual k6, tangent k8
//   slopes k7
//   a*exp(x) + b*sin(x) = x
//   a - b*cos(x) = 1
// b2: linear, unknowns b, a, residual k12, tangent k13
//   a*exp(x) + b*sin(x) = x
//   a - b*cos(x) = 1
// kernel k0
// %0 = start(x)
// x := %0
// %2 = Exp %0
// s6 := %2
// %4 = Sin %0
// s7 := %4
// %6 = Cos %0
// s8 := %6
// kernel k1
// %0 = a
// %1 = s6
// %2 = Mul %0, %1
// %3 = b
// %4 = s7
// %5 = Mul %3, %4
// %6 = Add %2, %5
// %7 = x
// %8 = Sub %6, %7
// s9 := %8
// %10 = s8
// %11 = Mul %3, %10
// %12 = Sub %0, %11
// %13 = 1.0
// %14 = Sub %12, %13
// s10 := %14
// kernel k2
// %0 = out[3]
// %1 = s6
// %2 = Mul %0, %1
// %3 = out[4]
// %4 = s7
// %5 = Mul %3, %4
// %6 = Add %2, %5
// out[9] := %6
// %8 = s8
// %9 = Mul %3, %8
// %10 = Sub %0, %9
// out[10] := %10
// kernel k3
// %0 = a
// der(x) := %0
// kernel k4
// %0 = x
// %1 = Exp %0
// s11 := %1
// %3 = Sin %0
// s12 := %3
// %5 = Cos %0
// s13 := %5
// kernel k5
// %0 = out[1]
// %1 = s11
// %2 = Mul %1, %0
// %3 = inf
// %4 = Eq %1, %3
// %5 = Sign %0
// %6 = 1.7976931348623157e308
// %7 = Mul %5, %6
// %8 = if %4 then %7 else %2
// out[11] := %8
// %10 = x
// %11 = Cos %10
// %12 = Mul %11, %0
// out[12] := %12
// %14 = Sin %10
// %15 = Mul %14, %0
// %16 = Neg %15
// out[13] := %16
// kernel k6
// %0 = a
// %1 = s11
// %2 = Mul %0, %1
// %3 = b
// %4 = s12
// %5 = Mul %3, %4
// %6 = Add %2, %5
// %7 = x
// %8 = Sub %6, %7
// s14 := %8
// %10 = s13
// %11 = Mul %3, %10
// %12 = Sub %0, %11
// %13 = 1.0
// %14 = Sub %12, %13
// s15 := %14
// kernel k7
// %0 = out[3]
// %1 = s11
// %2 = Mul %0, %1
// %3 = out[4]
// %4 = s12
// %5 = Mul %3, %4
// %6 = Add %2, %5
// out[14] := %6
// %8 = s13
// %9 = Mul %3, %8
// %10 = Sub %0, %9
// out[15] := %10
// kernel k8
// %0 = out[11]
// %1 = out[12]
// %2 = out[13]
// %3 = out[3]
// %4 = s11
// %5 = Mul %3, %4
// %6 = a
// %7 = Mul %6, %0
// %8 = Add %5, %7
// %9 = out[4]
// %10 = s12
// %11 = Mul %9, %10
// %12 = b
// %13 = Mul %12, %1
// %14 = Add %11, %13
// %15 = Add %8, %14
// %16 = out[1]
// %17 = Sub %15, %16
// out[14] := %17
// %19 = s13
// %20 = Mul %9, %19
// %21 = Mul %12, %2
// %22 = Add %20, %21
// %23 = Sub %3, %22
// out[15] := %23
// kernel k9
// %0 = a
// der(x) := %0
// kernel k10
// %0 = out[3]
// out[2] := %0
// kernel k11
// %0 = x
// %1 = Exp %0
// s16 := %1
// %3 = Sin %0
// s17 := %3
// %5 = Cos %0
// s18 := %5
// kernel k12
// %0 = a
// %1 = s16
// %2 = Mul %0, %1
// %3 = b
// %4 = s17
// %5 = Mul %3, %4
// %6 = Add %2, %5
// %7 = x
// %8 = Sub %6, %7
// s19 := %8
// %10 = s18
// %11 = Mul %3, %10
// %12 = Sub %0, %11
// %13 = 1.0
// %14 = Sub %12, %13
// s20 := %14
// kernel k13
// %0 = out[3]
// %1 = s16
// %2 = Mul %0, %1
// %3 = out[4]
// %4 = s17
// %5 = Mul %3, %4
// %6 = Add %2, %5
// out[19] := %6
// %8 = s18
// %9 = Mul %3, %8
// %10 = Sub %0, %9
// out[20] := %10
// kernel k14
// %0 = a
// der(x) := %0
