// A sum of arrays over loop variables is an array.
model SumsOfArrays
  function polynomial
    input Real x[:];
    input Real c[:];
    output Real y[size(x, 1)];
  algorithm
    y := sum(x.^(i - 1)*c[i] for i in 1:size(c, 1));
  end polynomial;
  Real y[2] = polynomial({1, 2}, {1, 1, 1});
  Real z[3] = sum({1, 2, 3}*i*j*time for i in 1:2, j in 1:2);
  Real s = sum(i*time for i in 1:3);
end SumsOfArrays;
//! expect
// model SumsOfArrays
//   function SumsOfArrays.polynomial
//     input Real[:] x
//     input Real[:] c
//     output Real[size(x, 1)] y
//   algorithm
//     y := {sum({x .^ /*Real*/(i - 1) * c[i] for i in 1:size(c, 1)}[:, $i1]) for $i1 in 1:size({x .^ /*Real*/(i - 1) * c[i] for i in 1:size(c, 1)}, 2)}
//   end SumsOfArrays.polynomial
//   Real[2] y = SumsOfArrays.polynomial({1.0, 2.0}, {1.0, 1.0, 1.0})
//   Real[3] z = {sum({/*Real*/({1, 2, 3} * i * j) * time for i in 1:2, j in 1:2}[:, :, $i1]) for $i1 in 1:3}
//   Real s = sum({/*Real*/(i) * time for i in 1:3})
// end SumsOfArrays
