// Heat in a rod of 24 cells: the equations inside become one loop, those at the ends stay single; so do their tangents. The heat
// flows are one level below.
model Rod
  parameter Integer n = 24;
  parameter Real k = 2, C = 3;
  Real T[n](each start = 300, each fixed = true), q[n + 1];
equation
  q[1] = sin(time);
  for i in 2:n loop
    q[i] = k*(T[i - 1] - T[i])*(1 + 1e-3*T[i]);
  end for;
  q[n + 1] = k*(T[n] - 290);
  for i in 1:n loop
    C*der(T[i]) = q[i] - q[i + 1];
  end for;
end Rod;
//! expect
// kernel k1: 245 instructions
// once
// %0 = time
// %1 = Sin %0
// q[1] := %1
// %3 = k
// %4 = T[24]
// %5 = 290.0
// %6 = Sub %4, %5
// %7 = Mul %3, %6
// q[25] := %7
// 23 iterations
//   %0 = k
//   %1 = T[1]   (+1)
//   %2 = T[2]   (+1)
//   %3 = Sub %1, %2
//   %4 = Mul %0, %3
//   %5 = 0.001
//   %6 = Mul %5, %2
//   %7 = 1.0
//   %8 = Add %6, %7
//   %9 = Mul %4, %8
//   q[2] := %9   (+1)
// 24 iterations
//   %0 = q[1]   (+1)
//   %1 = q[2]   (+1)
//   %2 = Sub %0, %1
//   %3 = C
//   %4 = Div %2, %3
//   der(T[1]) := %4   (+1)
// kernel k2: 381 instructions
// once
// %0 = 0.0
// out[52] := %0
// %2 = k
// %3 = out[24]
// %4 = Mul %2, %3
// out[76] := %4
// 23 iterations
//   %0 = k
//   %1 = out[1]   (+1)
//   %2 = out[2]   (+1)
//   %3 = Sub %1, %2
//   %4 = Mul %0, %3
//   %5 = 0.001
//   %6 = T[2]   (+1)
//   %7 = Mul %5, %6
//   %8 = 1.0
//   %9 = Add %7, %8
//   %10 = Mul %4, %9
//   %11 = T[1]   (+1)
//   %12 = Sub %11, %6
//   %13 = Mul %0, %12
//   %14 = Mul %5, %2
//   %15 = Mul %13, %14
//   %16 = Add %10, %15
//   out[53] := %16   (+1)
// once
// %0 = out[53]
// %1 = Neg %0
// %2 = C
// %3 = Div %1, %2
// out[25] := %3
// 23 iterations
//   %0 = out[53]   (+1)
//   %1 = out[54]   (+1)
//   %2 = Sub %0, %1
//   %3 = C
//   %4 = Div %2, %3
//   out[26] := %4   (+1)
