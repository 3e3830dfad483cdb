// Kernels for the start, the derivatives, their tangents and events; eliminated variables have no code.
model Signs
  Real a(start = 2, fixed = true), b, c, d, e;
equation
  der(a) = b;
  a = c;
  c + d = 0;
  e = 3;
  b = d + e;
end Signs;
//! expect
// program Signs: 8 slots, 4 kernels
// states a
// parameters:
// initial: k0
// derivatives: k1
// before crossings:
// outputs:
// event: k3
// tangent of k1: k2
// kernel k0
// %0 = start(a)
// a := %0
// %2 = 3.0
// %3 = Sub %2, %0
// b := %3
// der(a) := %3
// kernel k1
// %0 = 3.0
// %1 = a
// %2 = Sub %0, %1
// b := %2
// der(a) := %2
// kernel k2
// %0 = out[1]
// %1 = Neg %0
// out[3] := %1
// out[2] := %1
// kernel k3
// %0 = 3.0
// %1 = a
// %2 = Sub %0, %1
// b := %2
// der(a) := %2
