// A cable as a ladder of 400 stages of small resistances in line and large ones across: one linear system of 800 equations that a
// single unknown determines. Resistances of one size would not do: errors would grow from stage to stage, and tearing stops there.
//! shown check MODEL
model LongLadder
  parameter Integer n = 20*20;
  parameter Real R = 1e-3 "in line", S = 1e3 "across", U = 10;
  Real i[n], u[n];
equation
  U - u[1] = R*i[1];
  for k in 2:n loop
    u[k - 1] - u[k] = R*i[k];
    u[k - 1] = S*(i[k - 1] - i[k]);
  end for;
  u[n] = S*i[n];
end LongLadder;
//! expect
// exit code 0
// model LongLadder
//   equations                         800
//   unknowns                          800
//   eliminated aliases                0
//   continuous states                 0
//   event-generating relations        0
//   linear systems                    {800}
//     after tearing                   {1}
//   nonlinear systems                 {}
//     after tearing                   {}
//   structural index                  1
//   initial equations                 0
//   states fixed by default           0
//   nonlinear systems, initialisation {}
// files:
