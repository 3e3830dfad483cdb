model Imports
  import Modelica.Constants.pi;
  import Modelica.Constants.mue_0;
  import SI = Modelica.Units.SI;
  Real x(start=1, fixed=true);
  SI.Time t;
equation
  der(x) = -x*pi*mue_0;
  t = time;
end Imports;
//! expect
// error[F005]: unknown type `SI.Time`
//   ┌─ imports.mo:6:3
//   │
// 6 │   SI.Time t;
//   │   ^^^^^^^
//   │
//   = declared: `t`
//   = hint: types of libraries are not read; write the type as it is defined, for example `Real t(unit = "s")`, or flatten the model with another tool first
//
//
// error[F003]: unknown variable `mue_0`
//   ┌─ imports.mo:8:18
//   │
// 8 │   der(x) = -x*pi*mue_0;
//   │                  ^^^^^ not declared
//   │
//   = an import says that it is `Modelica.Constants.mue_0`, which is not in this file
//   = hint: define it in the file, or flatten the model with another tool first
//
