function damping
  input Real v;
  output Real f;
  external "C" f = my_damping(v);
end damping;
model External
  Real x(start = 1, fixed = true);
equation
  der(x) = -damping(x);
end External;
//! expect
// error[D008]: the external function my_damping is not known
//   ┌─ unknown_external_function.mo:1:10
//   │
// 1 │ function damping
//   │          ^^^^^^^ damping is declared external "C" here
//   ·
// 9 │   der(x) = -damping(x);
//   │             ---------- called here
//   │
//   = the external functions of the Modelica Standard Library for tables, random numbers and files are built in
//   = hint: `--external LIB.so` names a shared library with others
//
