within ;
package Parts "Components with connectors: electrical, rotational, translational, thermal, fluid, signals"
  package Units "Quantities with their units"
    type Voltage = Real(quantity = "ElectricPotential", unit = "V");
    type Current = Real(quantity = "ElectricCurrent", unit = "A");
    type Resistance = Real(unit = "Ohm", min = 0);
    type Capacitance = Real(unit = "F", min = 0);
    type Inductance = Real(unit = "H", min = 0);
    type Angle = Real(unit = "rad", displayUnit = "deg");
    type AngularVelocity = Real(unit = "rad/s");
    type Torque = Real(unit = "N.m");
    type MomentOfInertia = Real(unit = "kg.m2", min = 0);
    type Length = Real(unit = "m");
    type Position = Length;
    type Velocity = Real(unit = "m/s");
    type Force = Real(unit = "N");
    type Mass = Real(unit = "kg", min = 0);
    type Temperature = Real(unit = "K", min = 0, start = 293.15, nominal = 300);
    type HeatFlowRate = Real(unit = "W");
    type HeatCapacity = Real(unit = "J/K", min = 0);
    type ThermalConductance = Real(unit = "W/K", min = 0);
    type Pressure = Real(unit = "Pa", nominal = 1e5);
    type MassFlowRate = Real(unit = "kg/s");
    type SpecificEnthalpy = Real(unit = "J/kg", nominal = 1e5);
  end Units;

  package Constants
    constant Real pi = 3.14159265358979;
    constant Real g(unit = "m/s2") = 9.81;
    constant Units.Temperature T_room = 273.15 + 20;
  end Constants;

  partial function Characteristic "What a curve gives for an argument"
    input Real u;
    output Real y;
  end Characteristic;
end Parts;
