// Heat in a rod of 16 cells: the equations inside become one loop, those at the ends stay single; so do their tangents. The heat
// flows are one level below.
model Rod
  parameter Integer n = 16;
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
// kernel k1: 165 instructions
// once
// %0 = time
// %1 = Sin %0
// q[1] := %1
// %3 = k
// %4 = T[16]
// %5 = 290.0
// %6 = Sub %4, %5
// %7 = Mul %3, %6
// q[17] := %7
// 15 rounds
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
// 16 rounds
//   %0 = q[1]   (+1)
//   %1 = q[2]   (+1)
//   %2 = Sub %0, %1
//   %3 = C
//   %4 = Div %2, %3
//   der(T[1]) := %4   (+1)
// kernel k2: 253 instructions
// once
// %0 = 0.0
// out[20] := %0
// %2 = k
// %3 = out[19]
// %4 = Mul %2, %3
// out[36] := %4
// 15 rounds
//   %0 = k
//   %1 = out[4]   (+1)
//   %2 = out[5]   (+1)
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
//   out[21] := %16   (+1)
// once
// %0 = out[21]
// %1 = Neg %0
// %2 = C
// %3 = Div %1, %2
// out[37] := %3
// 15 rounds
//   %0 = out[21]   (+1)
//   %1 = out[22]   (+1)
//   %2 = Sub %0, %1
//   %3 = C
//   %4 = Div %2, %3
//   out[38] := %4   (+1)
