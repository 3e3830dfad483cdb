// Two unknowns are iterated on: slopes that do not depend on the direction are computed once for both columns of the Jacobian.
model Partials
  Real x(start = 1, fixed = true), a(start = 1), b(start = 1);
equation
  der(x) = -a;
  a^3 + exp(b) = 4*x;
  b^3 + exp(a) = 4*x;
end Partials;
//! expect
// program Partials: 30 slots, 15 kernels
// states x
// parameters:
// initial: k0 b0 k4
// derivatives: b1 k9
// before crossings:
// outputs:
// event: b2 k14
// tangent of k9: k10
// b0: nonlinear, unknowns a, b, residual k1, tangent k2
//   partial derivatives k3
//   a^3 + exp(b) = 4*x
//   b^3 + exp(a) = 4*x
// b1: nonlinear, unknowns b, a, residual k5, tangent k7
//   slopes k6
//   partial derivatives k8
//   a^3 + exp(b) = 4*x
//   b^3 + exp(a) = 4*x
// b2: nonlinear, unknowns b, a, residual k11, tangent k12
//   partial derivatives k13
//   a^3 + exp(b) = 4*x
//   b^3 + exp(a) = 4*x
// kernel k0
// %0 = start(x)
// x := %0
// kernel k1
// %0 = a
// %1 = 3.0
// %2 = Pow %0, %1
// %3 = b
// %4 = Exp %3
// %5 = Add %2, %4
// %6 = 4.0
// %7 = x
// %8 = Mul %6, %7
// %9 = Sub %5, %8
// s6 := %9
// %11 = Pow %3, %1
// %12 = Exp %0
// %13 = Add %11, %12
// %14 = Sub %13, %8
// s7 := %14
// kernel k2
// %0 = out[3]
// %1 = s8
// %2 = Mul %1, %0
// %3 = out[4]
// %4 = s9
// %5 = Mul %4, %3
// %6 = s10
// %7 = Sign %3
// %8 = 1.7976931348623157e308
// %9 = Mul %7, %8
// %10 = if %6 then %9 else %5
// %11 = Add %2, %10
// out[6] := %11
// %13 = s11
// %14 = Mul %13, %3
// %15 = s12
// %16 = Mul %15, %0
// %17 = s13
// %18 = Sign %0
// %19 = Mul %18, %8
// %20 = if %17 then %19 else %16
// %21 = Add %14, %20
// out[7] := %21
// kernel k3
// %0 = a
// %1 = 2.0
// %2 = Pow %0, %1
// %3 = 3.0
// %4 = Mul %3, %2
// s8 := %4
// %6 = b
// %7 = Exp %6
// s9 := %7
// %9 = inf
// %10 = Eq %7, %9
// s10 := %10
// %12 = Pow %6, %1
// %13 = Mul %3, %12
// s11 := %13
// %15 = Exp %0
// s12 := %15
// %17 = Eq %15, %9
// s13 := %17
// kernel k4
// %0 = a
// %1 = Neg %0
// der(x) := %1
// kernel k5
// %0 = a
// %1 = 3.0
// %2 = Pow %0, %1
// %3 = b
// %4 = Exp %3
// %5 = Add %2, %4
// %6 = 4.0
// %7 = x
// %8 = Mul %6, %7
// %9 = Sub %5, %8
// s14 := %9
// %11 = Pow %3, %1
// %12 = Exp %0
// %13 = Add %11, %12
// %14 = Sub %13, %8
// s15 := %14
// kernel k6
// %0 = out[3]
// %1 = s16
// %2 = Mul %1, %0
// %3 = out[4]
// %4 = s17
// %5 = Mul %4, %3
// %6 = s18
// %7 = Sign %3
// %8 = 1.7976931348623157e308
// %9 = Mul %7, %8
// %10 = if %6 then %9 else %5
// %11 = Add %2, %10
// out[14] := %11
// %13 = s19
// %14 = Mul %13, %3
// %15 = s20
// %16 = Mul %15, %0
// %17 = s21
// %18 = Sign %0
// %19 = Mul %18, %8
// %20 = if %17 then %19 else %16
// %21 = Add %14, %20
// out[15] := %21
// kernel k7
// %0 = out[3]
// %1 = a
// %2 = 2.0
// %3 = Pow %1, %2
// %4 = 3.0
// %5 = Mul %4, %3
// %6 = Mul %5, %0
// %7 = out[4]
// %8 = b
// %9 = Exp %8
// %10 = Mul %9, %7
// %11 = inf
// %12 = Eq %9, %11
// %13 = Sign %7
// %14 = 1.7976931348623157e308
// %15 = Mul %13, %14
// %16 = if %12 then %15 else %10
// %17 = Add %6, %16
// %18 = out[1]
// %19 = 4.0
// %20 = Mul %19, %18
// %21 = Sub %17, %20
// out[14] := %21
// %23 = Pow %8, %2
// %24 = Mul %4, %23
// %25 = Mul %24, %7
// %26 = Exp %1
// %27 = Mul %26, %0
// %28 = Eq %26, %11
// %29 = Sign %0
// %30 = Mul %29, %14
// %31 = if %28 then %30 else %27
// %32 = Add %25, %31
// %33 = Sub %32, %20
// out[15] := %33
// kernel k8
// %0 = a
// %1 = 2.0
// %2 = Pow %0, %1
// %3 = 3.0
// %4 = Mul %3, %2
// s16 := %4
// %6 = b
// %7 = Exp %6
// s17 := %7
// %9 = inf
// %10 = Eq %7, %9
// s18 := %10
// %12 = Pow %6, %1
// %13 = Mul %3, %12
// s19 := %13
// %15 = Exp %0
// s20 := %15
// %17 = Eq %15, %9
// s21 := %17
// kernel k9
// %0 = a
// %1 = Neg %0
// der(x) := %1
// kernel k10
// %0 = out[3]
// %1 = Neg %0
// out[2] := %1
// kernel k11
// %0 = a
// %1 = 3.0
// %2 = Pow %0, %1
// %3 = b
// %4 = Exp %3
// %5 = Add %2, %4
// %6 = 4.0
// %7 = x
// %8 = Mul %6, %7
// %9 = Sub %5, %8
// s22 := %9
// %11 = Pow %3, %1
// %12 = Exp %0
// %13 = Add %11, %12
// %14 = Sub %13, %8
// s23 := %14
// kernel k12
// %0 = out[3]
// %1 = s24
// %2 = Mul %1, %0
// %3 = out[4]
// %4 = s25
// %5 = Mul %4, %3
// %6 = s26
// %7 = Sign %3
// %8 = 1.7976931348623157e308
// %9 = Mul %7, %8
// %10 = if %6 then %9 else %5
// %11 = Add %2, %10
// out[22] := %11
// %13 = s27
// %14 = Mul %13, %3
// %15 = s28
// %16 = Mul %15, %0
// %17 = s29
// %18 = Sign %0
// %19 = Mul %18, %8
// %20 = if %17 then %19 else %16
// %21 = Add %14, %20
// out[23] := %21
// kernel k13
// %0 = a
// %1 = 2.0
// %2 = Pow %0, %1
// %3 = 3.0
// %4 = Mul %3, %2
// s24 := %4
// %6 = b
// %7 = Exp %6
// s25 := %7
// %9 = inf
// %10 = Eq %7, %9
// s26 := %10
// %12 = Pow %6, %1
// %13 = Mul %3, %12
// s27 := %13
// %15 = Exp %0
// s28 := %15
// %17 = Eq %15, %9
// s29 := %17
// kernel k14
// %0 = a
// %1 = Neg %0
// der(x) := %1
