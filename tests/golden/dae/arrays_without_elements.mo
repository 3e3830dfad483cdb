// Matrices with no rows or no columns keep their other size: a state space without states, and what is put together with nothing.
function columns
  input Real a[:, :];
  input Real b[size(a, 1)];
  output Real x[size(a, 2)];
algorithm
  x := transpose(a)*b;
  for i in 1:size(x, 1) loop
    x[i] := x[i] + i;
  end for;
end columns;
model ArraysWithoutElements
  Real x[0], y[1], u[1] = {time};
  Real a[0, 0] = zeros(0, 0), b[0, 1] = zeros(0, 1), c[1, 0] = zeros(1, 0);
  Real wide[0, 3] = fill(1.0, 0, 3), turned[3, 0] = transpose(wide);
  Real product[3, 3] = turned*wide;
  Real sums[2] = columns(zeros(0, 2), fill(0.0, 0));
  Real beside[1, 1] = [c, [time]];
  Integer n = 10*size(turned, 1) + size(wide, 2);
equation
  der(x) = a*x + b*u;
  y = c*x + {2*time};
end ArraysWithoutElements;
//! expect
// system ArraysWithoutElements
//   v0: Real time time
//   v1: Real continuous y[1]
//   v2: Real continuous u[1]
//   v3: Real continuous product[1,1]
//   v4: Real continuous product[1,2]
//   v5: Real continuous product[1,3]
//   v6: Real continuous product[2,1]
//   v7: Real continuous product[2,2]
//   v8: Real continuous product[2,3]
//   v9: Real continuous product[3,1]
//   v10: Real continuous product[3,2]
//   v11: Real continuous product[3,3]
//   v12: Real continuous sums[1]
//   v13: Real continuous sums[2]
//   v14: Real continuous beside[1,1]
//   v15: Integer discrete n
// equations
//   e0: u[1] = time
//   e1: product[1,1] = 0
//   e2: product[1,2] = 0
//   e3: product[1,3] = 0
//   e4: product[2,1] = 0
//   e5: product[2,2] = 0
//   e6: product[2,3] = 0
//   e7: product[3,1] = 0
//   e8: product[3,2] = 0
//   e9: product[3,3] = 0
//   e10: sums[1] = 1
//   e11: sums[2] = 2
//   e12: beside[1,1] = time
//   e13: discrete n = 33
//   e14: y[1] = 2*time
