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
