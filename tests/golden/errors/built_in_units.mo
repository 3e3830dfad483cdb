// The standard library is not there: what everyday files import is built in, which a note says.
model BuiltInUnits
  import SI = Modelica.Units.SI;
  import Modelica.Constants.pi;
  import Modelica.Units.Conversions.from_rpm;
  parameter SI.AngularVelocity w = from_rpm(30);
  Modelica.SIunits.Angle phi(start = 0, fixed = true);
  Real x = Modelica.Math.sin(phi)*pi;
equation
  der(phi) = w;
end BuiltInUnits;
//! expect
// note[N008]: the package `Modelica` is not found: its units, constants and elementary functions are built in
//  = hint: with the standard library in ~/.openmodelica/libraries or on MODELICAPATH, its text is used
//
