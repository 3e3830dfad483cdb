model Imports
  import Modelica.Constants.pi;
  import Modelica.Constants.mue_0;
  import SI = Elsewhere.Units.SI;
  Real x(start=1, fixed=true);
  SI.Time t;
equation
  der(x) = -x*pi*mue_0;
  t = time;
end Imports;
//! expect
// error[L003]: there is no package `Elsewhere`
//   ┌─ imports.mo:4:3
//   │
// 4 │   import SI = Elsewhere.Units.SI;
//   │   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//   │
//   = hint: Partita searches `--library`, the folders of MODELICAPATH and ~/.openmodelica/libraries for `Elsewhere/package.mo` and `Elsewhere.mo`
//
