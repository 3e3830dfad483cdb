// The graph of Tarjan (1972), Fig. 3, as equations: x1 needs x2, x2 needs x3 and x8, and so on. Its strongly connected components
// are {6}, {3, 4, 5, 7} and {1, 2, 8}, in the order in which they can be solved.
model Tarjan
  Real x1, x2, x3, x4, x5, x6, x7, x8;
equation
  x1 = 0.1*x2 + time;
  x2 = 0.1*x3 + 0.2*x8;
  x3 = 0.1*x4 + 0.2*x7;
  x4 = 0.1*x5 + 1;
  x5 = 0.1*x3 + 0.2*x6;
  x6 = sin(time);
  x7 = 0.1*x4 + 0.2*x6;
  x8 = 0.1*x1 + 0.2*x7;
end Tarjan;
//! expect
// block 0: x6 from x6 = sin(time)
// block 1: x3, x4, x5, x7 from
//   x3 = 0.1*x4 + 0.2*x7
//   x4 = 0.1*x5 + 1
//   x5 = 0.1*x3 + 0.2*x6
//   x7 = 0.1*x4 + 0.2*x6
// block 2: x1, x2, x8 from
//   x1 = 0.1*x2 + time
//   x2 = 0.1*x3 + 0.2*x8
//   x8 = 0.2*x7 + 0.1*x1
