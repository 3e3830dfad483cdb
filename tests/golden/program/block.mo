// A nonlinear system: residual and tangent kernels, and the iteration unknown.
model Block
  parameter Real p = 2;
  Real x(start = 1, fixed = true), y(start = 1), z;
equation
  der(x) = -z;
  y^3 + y = x + z;
  z = p*y;
end Block;
//! expect
// program Block: 10 slots, 15 kernels
// states x
// parameters:
// initial: k0 b0 k4
// derivatives: b1 k9
// before crossings:
// outputs:
// event: b2 k14
// tangent of k9: k10
// b0: nonlinear, unknowns y, residual k1, tangent k2
//   coefficients of the closed form k3
//   z = p*y
// b1: nonlinear, unknowns y, residual k5, tangent k7
//   slopes k6
//   coefficients of the closed form k8
//   z = p*y
// b2: nonlinear, unknowns y, residual k11, tangent k12
//   coefficients of the closed form k13
//   z = p*y
// kernel k0
// %0 = start(x)
// x := %0
// kernel k1
// %0 = y
// %1 = 3.0
// %2 = Pow %0, %1
// %3 = Add %0, %2
// %4 = x
// %5 = Sub %3, %4
// z := %5
// %7 = p
// %8 = Mul %7, %0
// %9 = Sub %5, %8
// s7 := %9
// kernel k2
// %0 = out[4]
// %1 = y
// %2 = 2.0
// %3 = Pow %1, %2
// %4 = 3.0
// %5 = Mul %4, %3
// %6 = Mul %5, %0
// %7 = Add %0, %6
// out[5] := %7
// %9 = p
// %10 = Mul %9, %0
// %11 = Sub %7, %10
// out[7] := %11
// kernel k3
// %0 = x
// %1 = Neg %0
// out[0] := %1
// %3 = 1.0
// %4 = p
// %5 = Sub %3, %4
// out[1] := %5
// %7 = 0.0
// out[2] := %7
// out[3] := %3
// out[4] := %3
// kernel k4
// %0 = z
// %1 = Neg %0
// der(x) := %1
// kernel k5
// %0 = y
// %1 = 3.0
// %2 = Pow %0, %1
// %3 = Add %0, %2
// %4 = x
// %5 = Sub %3, %4
// z := %5
// %7 = p
// %8 = Mul %7, %0
// %9 = Sub %5, %8
// s8 := %9
// kernel k6
// %0 = out[4]
// %1 = y
// %2 = 2.0
// %3 = Pow %1, %2
// %4 = 3.0
// %5 = Mul %4, %3
// %6 = Mul %5, %0
// %7 = Add %0, %6
// out[5] := %7
// %9 = p
// %10 = Mul %9, %0
// %11 = Sub %7, %10
// out[8] := %11
// kernel k7
// %0 = out[4]
// %1 = y
// %2 = 2.0
// %3 = Pow %1, %2
// %4 = 3.0
// %5 = Mul %4, %3
// %6 = Mul %5, %0
// %7 = Add %0, %6
// %8 = out[1]
// %9 = Sub %7, %8
// out[5] := %9
// %11 = p
// %12 = Mul %11, %0
// %13 = Sub %9, %12
// out[8] := %13
// kernel k8
// %0 = x
// %1 = Neg %0
// out[0] := %1
// %3 = 1.0
// %4 = p
// %5 = Sub %3, %4
// out[1] := %5
// %7 = 0.0
// out[2] := %7
// out[3] := %3
// out[4] := %3
// kernel k9
// %0 = z
// %1 = Neg %0
// der(x) := %1
// kernel k10
// %0 = out[5]
// %1 = Neg %0
// out[2] := %1
// kernel k11
// %0 = y
// %1 = 3.0
// %2 = Pow %0, %1
// %3 = Add %0, %2
// %4 = x
// %5 = Sub %3, %4
// z := %5
// %7 = p
// %8 = Mul %7, %0
// %9 = Sub %5, %8
// s9 := %9
// kernel k12
// %0 = out[4]
// %1 = y
// %2 = 2.0
// %3 = Pow %1, %2
// %4 = 3.0
// %5 = Mul %4, %3
// %6 = Mul %5, %0
// %7 = Add %0, %6
// out[5] := %7
// %9 = p
// %10 = Mul %9, %0
// %11 = Sub %7, %10
// out[9] := %11
// kernel k13
// %0 = x
// %1 = Neg %0
// out[0] := %1
// %3 = 1.0
// %4 = p
// %5 = Sub %3, %4
// out[1] := %5
// %7 = 0.0
// out[2] := %7
// out[3] := %3
// out[4] := %3
// kernel k14
// %0 = z
// %1 = Neg %0
// der(x) := %1
