// Constants and parameters that are part of the equations keep all their dimensions: matrices in products, rows, and tables of
// literals that are indexed by literals known at run time.
function weighted
  input Integer k;
  output Real y;
protected
  constant Real w[2, 3] = {{1, 2, 3}, {4, 5, 6}};
algorithm
  y := w[k, 3] + sum(w[2]);
end weighted;
model FoldedMatrices
  type L = enumeration(low, high);
  final parameter Real a[2, 2] = {{1, 2}, {3, 4}};
  constant Integer b[2, 2] = [5, 6; 7, 8];
  constant L both[L, L] = {{L.low, L.low}, {L.low, L.high}};
  Real y[2] = a*{time, 1};
  Real row = sum(a[2]);
  Real turned = sum(transpose(a)[1]);
  Integer k = if time > 0.5 then 2 else 1;
  Real z = b[k, 1];
  L u = if time > 0.5 then L.high else L.low;
  L v = both[u, L.high];
  Real w = weighted(2);
end FoldedMatrices;
//! expect
// system FoldedMatrices
//   v0: Real time time
//   v1: Real parameter a[1,1], value 1
//   v2: Real parameter a[1,2], value 2
//   v3: Real parameter a[2,1], value 3
//   v4: Real parameter a[2,2], value 4
//   v5: Integer parameter b[1,1], value 5
//   v6: Integer parameter b[1,2], value 6
//   v7: Integer parameter b[2,1], value 7
//   v8: Integer parameter b[2,2], value 8
//   v9: Integer parameter both[1,1], value 1
//   v10: Integer parameter both[1,2], value 1
//   v11: Integer parameter both[2,1], value 1
//   v12: Integer parameter both[2,2], value 2
//   v13: Real continuous y[1]
//   v14: Real continuous y[2]
//   v15: Real continuous row
//   v16: Real continuous turned
//   v17: Integer discrete k
//   v18: Real continuous z
//   v19: Integer discrete u
//   v20: Integer discrete v
//   v21: Real continuous w
//   v22: Boolean relation $relation1
//   $relation1 when time > 0.5
// equations
//   e0: y[1] = time + 2
//   e1: y[2] = 3*time + 4
//   e2: row = 7
//   e3: turned = 4
//   e4: discrete k = if $relation1 then 2 else 1
//   e5: z = if k == 1 then 5 elseif k == 2 then 7 else NaN
//   e6: discrete u = if $relation1 then 2 else 1
//   e7: discrete v = if u == 1 then 1 elseif u == 2 then 2 else NaN
//   e8: w = 21
