within ;
package Modelica "What everyday files import, where the standard library is not installed"
  package Units "Units"
    package SI "Types of physical quantities in units of the SI"
      type Angle = Real(final quantity = "Angle", final unit = "rad", displayUnit = "deg");
      type SolidAngle = Real(final quantity = "SolidAngle", final unit = "sr");
      type Length = Real(final quantity = "Length", final unit = "m");
      type PathLength = Real(final quantity = "Length", final unit = "m");
      type Position = Real(final quantity = "Length", final unit = "m");
      type Distance = Real(final quantity = "Length", final unit = "m", min = 0);
      type Breadth = Real(final quantity = "Length", final unit = "m", min = 0);
      type Height = Real(final quantity = "Length", final unit = "m", min = 0);
      type Thickness = Real(final quantity = "Length", final unit = "m", min = 0);
      type Radius = Real(final quantity = "Length", final unit = "m", min = 0);
      type Diameter = Real(final quantity = "Length", final unit = "m", min = 0);
      type Area = Real(final quantity = "Area", final unit = "m2");
      type Volume = Real(final quantity = "Volume", final unit = "m3");
      type Time = Real(final quantity = "Time", final unit = "s");
      type Duration = Real(final quantity = "Time", final unit = "s");
      type Period = Real(final quantity = "Time", final unit = "s");
      type Frequency = Real(final quantity = "Frequency", final unit = "Hz");
      type AngularFrequency = Real(final quantity = "AngularFrequency", final unit = "rad/s");
      type AngularVelocity = Real(final quantity = "AngularVelocity", final unit = "rad/s");
      type AngularAcceleration = Real(final quantity = "AngularAcceleration", final unit = "rad/s2");
      type AngularJerk = Real(final quantity = "AngularJerk", final unit = "rad/s3");
      type Velocity = Real(final quantity = "Velocity", final unit = "m/s");
      type Acceleration = Real(final quantity = "Acceleration", final unit = "m/s2");
      type Jerk = Real(final quantity = "Jerk", final unit = "m/s3");
      type Wavelength = Real(final quantity = "Wavelength", final unit = "m");
      type DampingCoefficient = Real(final quantity = "DampingCoefficient", final unit = "s-1");
      type Mass = Real(final quantity = "Mass", final unit = "kg", min = 0);
      type Density = Real(final quantity = "Density", final unit = "kg/m3", displayUnit = "g/cm3", min = 0);
      type RelativeDensity = Real(final quantity = "RelativeDensity", final unit = "1", min = 0);
      type SpecificVolume = Real(final quantity = "SpecificVolume", final unit = "m3/kg", min = 0);
      type LinearDensity = Real(final quantity = "LinearDensity", final unit = "kg/m", min = 0);
      type Momentum = Real(final quantity = "Momentum", final unit = "kg.m/s");
      type Impulse = Real(final quantity = "Impulse", final unit = "N.s");
      type AngularMomentum = Real(final quantity = "AngularMomentum", final unit = "kg.m2/s");
      type MomentOfInertia = Real(final quantity = "MomentOfInertia", final unit = "kg.m2");
      type Inertia = Real(final quantity = "MomentOfInertia", final unit = "kg.m2");
      type Force = Real(final quantity = "Force", final unit = "N");
      type Weight = Real(final quantity = "Force", final unit = "N");
      type TranslationalSpringConstant = Real(final quantity = "TranslationalSpringConstant", final unit = "N/m");
      type TranslationalDampingConstant = Real(final quantity = "TranslationalDampingConstant", final unit = "N.s/m");
      type RotationalSpringConstant = Real(final quantity = "RotationalSpringConstant", final unit = "N.m/rad");
      type RotationalDampingConstant = Real(final quantity = "RotationalDampingConstant", final unit = "N.m.s/rad");
      type Torque = Real(final quantity = "Torque", final unit = "N.m");
      type MomentOfForce = Real(final quantity = "MomentOfForce", final unit = "N.m");
      type Pressure = Real(final quantity = "Pressure", final unit = "Pa", displayUnit = "bar");
      type AbsolutePressure = Real(final quantity = "Pressure", final unit = "Pa", displayUnit = "bar", min = 0);
      type PressureDifference = Real(final quantity = "Pressure", final unit = "Pa", displayUnit = "bar");
      type GaugePressure = Real(final quantity = "Pressure", final unit = "Pa", displayUnit = "bar");
      type Stress = Real(final quantity = "Stress", final unit = "Pa");
      type DynamicViscosity = Real(final quantity = "DynamicViscosity", final unit = "Pa.s", min = 0);
      type KinematicViscosity = Real(final quantity = "KinematicViscosity", final unit = "m2/s", min = 0);
      type SurfaceTension = Real(final quantity = "SurfaceTension", final unit = "N/m");
      type Work = Real(final quantity = "Work", final unit = "J");
      type Energy = Real(final quantity = "Energy", final unit = "J");
      type KineticEnergy = Real(final quantity = "Energy", final unit = "J");
      type PotentialEnergy = Real(final quantity = "Energy", final unit = "J");
      type Power = Real(final quantity = "Power", final unit = "W");
      type Efficiency = Real(final quantity = "Efficiency", final unit = "1", min = 0);
      type MassFlowRate = Real(final quantity = "MassFlowRate", final unit = "kg/s");
      type VolumeFlowRate = Real(final quantity = "VolumeFlowRate", final unit = "m3/s");
      type MomentumFlux = Real(final quantity = "MomentumFlux", final unit = "N");
      type ThermodynamicTemperature = Real(final quantity = "ThermodynamicTemperature", final unit = "K", displayUnit = "degC", min = 0);
      type Temperature = Real(final quantity = "ThermodynamicTemperature", final unit = "K", displayUnit = "degC", min = 0);
      type Temp_K = Real(final quantity = "ThermodynamicTemperature", final unit = "K", displayUnit = "degC", min = 0);
      type TemperatureDifference = Real(final quantity = "ThermodynamicTemperature", final unit = "K");
      type TemperatureSlope = Real(final quantity = "TemperatureSlope", final unit = "K/s");
      type LinearTemperatureCoefficient = Real(final quantity = "LinearTemperatureCoefficient", final unit = "1/K");
      type LinearExpansionCoefficient = Real(final quantity = "LinearExpansionCoefficient", final unit = "1/K");
      type CubicExpansionCoefficient = Real(final quantity = "CubicExpansionCoefficient", final unit = "1/K");
      type Heat = Real(final quantity = "Energy", final unit = "J");
      type HeatFlowRate = Real(final quantity = "Power", final unit = "W");
      type HeatFlux = Real(final quantity = "HeatFlux", final unit = "W/m2");
      type DensityOfHeatFlowRate = Real(final quantity = "DensityOfHeatFlowRate", final unit = "W/m2");
      type ThermalConductivity = Real(final quantity = "ThermalConductivity", final unit = "W/(m.K)");
      type CoefficientOfHeatTransfer = Real(final quantity = "CoefficientOfHeatTransfer", final unit = "W/(m2.K)");
      type SurfaceCoefficientOfHeatTransfer = Real(final quantity = "CoefficientOfHeatTransfer", final unit = "W/(m2.K)");
      type ThermalResistance = Real(final quantity = "ThermalResistance", final unit = "K/W");
      type ThermalConductance = Real(final quantity = "ThermalConductance", final unit = "W/K");
      type ThermalDiffusivity = Real(final quantity = "ThermalDiffusivity", final unit = "m2/s");
      type HeatCapacity = Real(final quantity = "HeatCapacity", final unit = "J/K");
      type SpecificHeatCapacity = Real(final quantity = "SpecificHeatCapacity", final unit = "J/(kg.K)");
      type SpecificEnergy = Real(final quantity = "SpecificEnergy", final unit = "J/kg");
      type SpecificInternalEnergy = Real(final quantity = "SpecificEnergy", final unit = "J/kg");
      type SpecificEnthalpy = Real(final quantity = "SpecificEnergy", final unit = "J/kg");
      type Entropy = Real(final quantity = "Entropy", final unit = "J/K");
      type SpecificEntropy = Real(final quantity = "SpecificEntropy", final unit = "J/(kg.K)");
      type InternalEnergy = Real(final quantity = "Energy", final unit = "J");
      type Enthalpy = Real(final quantity = "Energy", final unit = "J");
      type EnthalpyFlowRate = Real(final quantity = "EnthalpyFlowRate", final unit = "W");
      type ElectricCurrent = Real(final quantity = "ElectricCurrent", final unit = "A");
      type Current = Real(final quantity = "ElectricCurrent", final unit = "A");
      type CurrentSlope = Real(final quantity = "CurrentSlope", final unit = "A/s");
      type ElectricCharge = Real(final quantity = "ElectricCharge", final unit = "C");
      type Charge = Real(final quantity = "ElectricCharge", final unit = "C");
      type ElectricFieldStrength = Real(final quantity = "ElectricFieldStrength", final unit = "V/m");
      type ElectricPotential = Real(final quantity = "ElectricPotential", final unit = "V");
      type Voltage = Real(final quantity = "ElectricPotential", final unit = "V");
      type PotentialDifference = Real(final quantity = "ElectricPotential", final unit = "V");
      type ElectromotiveForce = Real(final quantity = "ElectricPotential", final unit = "V");
      type VoltageSlope = Real(final quantity = "VoltageSlope", final unit = "V/s");
      type Capacitance = Real(final quantity = "Capacitance", final unit = "F", min = 0);
      type Inductance = Real(final quantity = "Inductance", final unit = "H");
      type MutualInductance = Real(final quantity = "Inductance", final unit = "H");
      type Reluctance = Real(final quantity = "Reluctance", final unit = "H-1");
      type Permeance = Real(final quantity = "Permeance", final unit = "H");
      type Permeability = Real(final quantity = "Permeability", final unit = "H/m");
      type RelativePermeability = Real(final quantity = "RelativePermeability", final unit = "1");
      type MagneticFieldStrength = Real(final quantity = "MagneticFieldStrength", final unit = "A/m");
      type MagneticPotential = Real(final quantity = "MagneticPotential", final unit = "A");
      type MagneticPotentialDifference = Real(final quantity = "MagneticPotential", final unit = "A");
      type MagnetomotiveForce = Real(final quantity = "MagneticPotential", final unit = "A");
      type MagneticFlux = Real(final quantity = "MagneticFlux", final unit = "Wb");
      type MagneticFluxDensity = Real(final quantity = "MagneticFluxDensity", final unit = "T");
      type Resistance = Real(final quantity = "Resistance", final unit = "Ohm");
      type Resistivity = Real(final quantity = "Resistivity", final unit = "Ohm.m");
      type Conductance = Real(final quantity = "Conductance", final unit = "S");
      type Conductivity = Real(final quantity = "Conductivity", final unit = "S/m");
      type Impedance = Real(final quantity = "Resistance", final unit = "Ohm");
      type Reactance = Real(final quantity = "Reactance", final unit = "Ohm");
      type Admittance = Real(final quantity = "Conductance", final unit = "S");
      type ActivePower = Real(final quantity = "Power", final unit = "W");
      type ReactivePower = Real(final quantity = "Power", final unit = "var");
      type ApparentPower = Real(final quantity = "Power", final unit = "VA");
      type PowerFactor = Real(final quantity = "PowerFactor", final unit = "1");
      type LuminousIntensity = Real(final quantity = "LuminousIntensity", final unit = "cd");
      type Illuminance = Real(final quantity = "Illuminance", final unit = "lx");
      type AmountOfSubstance = Real(final quantity = "AmountOfSubstance", final unit = "mol", min = 0);
      type MolarMass = Real(final quantity = "MolarMass", final unit = "kg/mol", min = 0);
      type MolarVolume = Real(final quantity = "MolarVolume", final unit = "m3/mol");
      type MolarFlowRate = Real(final quantity = "MolarFlowRate", final unit = "mol/s");
      type MolarHeatCapacity = Real(final quantity = "MolarHeatCapacity", final unit = "J/(mol.K)");
      type MolarEnthalpy = Real(final quantity = "MolarEnergy", final unit = "J/mol");
      type MolarEnergy = Real(final quantity = "MolarEnergy", final unit = "J/mol");
      type Concentration = Real(final quantity = "Concentration", final unit = "mol/m3");
      type MassFraction = Real(final quantity = "MassFraction", final unit = "1", min = 0, max = 1);
      type MoleFraction = Real(final quantity = "MoleFraction", final unit = "1", min = 0, max = 1);
      type DimensionlessRatio = Real(final unit = "1");
      type PrandtlNumber = Real(final quantity = "PrandtlNumber", final unit = "1");
      type ReynoldsNumber = Real(final quantity = "ReynoldsNumber", final unit = "1");
      type NusseltNumber = Real(final quantity = "NusseltNumber", final unit = "1");
      type Emissivity = Real(final quantity = "Emissivity", final unit = "1");
      type CoefficientOfFriction = Real(final quantity = "CoefficientOfFriction", final unit = "1");
      type PerUnit = Real(final unit = "1");
    end SI;

    package NonSI "Types in other units"
      type Temperature_degC = Real(final quantity = "ThermodynamicTemperature", final unit = "degC");
      type Angle_deg = Real(final quantity = "Angle", final unit = "deg");
      type AngularVelocity_rpm = Real(final quantity = "AngularVelocity", final unit = "rev/min");
      type Time_hour = Real(final quantity = "Time", final unit = "h");
      type Pressure_bar = Real(final quantity = "Pressure", final unit = "bar");
    end NonSI;

    package Conversions "Other units"
      function to_degC
        input Real T;
        output Real T_degC;
      algorithm
        T_degC := T + Modelica.Constants.T_zero;
      end to_degC;
      function from_degC
        input Real T_degC;
        output Real T;
      algorithm
        T := T_degC - Modelica.Constants.T_zero;
      end from_degC;
      function to_deg
        input Real angle;
        output Real angle_deg;
      algorithm
        angle_deg := angle*Modelica.Constants.R2D;
      end to_deg;
      function from_deg
        input Real angle_deg;
        output Real angle;
      algorithm
        angle := angle_deg*Modelica.Constants.D2R;
      end from_deg;
      function to_rpm
        input Real w;
        output Real n;
      algorithm
        n := w*30/Modelica.Constants.pi;
      end to_rpm;
      function from_rpm
        input Real n;
        output Real w;
      algorithm
        w := n*Modelica.Constants.pi/30;
      end from_rpm;
      function to_bar
        input Real p;
        output Real p_bar;
      algorithm
        p_bar := p/1e5;
      end to_bar;
      function from_bar
        input Real p_bar;
        output Real p;
      algorithm
        p := p_bar*1e5;
      end from_bar;
      function to_kmh
        input Real v;
        output Real v_kmh;
      algorithm
        v_kmh := v*3.6;
      end to_kmh;
      function from_kmh
        input Real v_kmh;
        output Real v;
      algorithm
        v := v_kmh/3.6;
      end from_kmh;
      function to_hour
        input Real t;
        output Real t_hour;
      algorithm
        t_hour := t/3600;
      end to_hour;
      function from_hour
        input Real t_hour;
        output Real t;
      algorithm
        t := t_hour*3600;
      end from_hour;
      function to_minute
        input Real t;
        output Real t_minute;
      algorithm
        t_minute := t/60;
      end to_minute;
      function from_minute
        input Real t_minute;
        output Real t;
      algorithm
        t := t_minute*60;
      end from_minute;
      function to_kWh
        input Real E;
        output Real E_kWh;
      algorithm
        E_kWh := E/3.6e6;
      end to_kWh;
      function from_kWh
        input Real E_kWh;
        output Real E;
      algorithm
        E := E_kWh*3.6e6;
      end from_kWh;
    end Conversions;
  end Units;

  package SIunits "Types of physical quantities under the name of version 3"
    extends Modelica.Units.SI;
    package Conversions
      extends Modelica.Units.Conversions;
      package NonSIunits
        extends Modelica.Units.NonSI;
      end NonSIunits;
    end Conversions;
  end SIunits;

  package Constants "Mathematical and physical constants"
    constant Real e = 2.718281828459045;
    constant Real pi = 3.141592653589793;
    constant Real D2R = pi/180;
    constant Real R2D = 180/pi;
    constant Real gamma = 0.5772156649015329;
    constant Real eps = 2.220446049250313e-16;
    constant Real small = 1e-60;
    constant Real inf = 1e60;
    constant Integer Integer_inf = 2147483647;
    constant Modelica.Units.SI.Velocity c = 299792458;
    constant Modelica.Units.SI.Acceleration g_n = 9.80665;
    constant Real G(final unit = "m3/(kg.s2)") = 6.67430e-11;
    constant Modelica.Units.SI.ElectricCharge q = 1.602176634e-19;
    constant Real F(final unit = "C/mol") = q*N_A;
    constant Real h(final unit = "J.s") = 6.62607015e-34;
    constant Real k(final unit = "J/K") = 1.380649e-23;
    constant Real R(final unit = "J/(mol.K)") = k*N_A;
    constant Real N_A(final unit = "1/mol") = 6.02214076e23;
    constant Real sigma(final unit = "W/(m2.K4)") = 2*pi^5*k^4/(15*h^3*c^2);
    constant Real mu_0(final unit = "N/A2") = 4*pi*1.00000000055e-7;
    constant Real mue_0(final unit = "N/A2") = mu_0 "its name in version 3";
    constant Real epsilon_0(final unit = "F/m") = 1/(mu_0*c*c);
    constant Real T_zero(final unit = "degC") = -273.15;
  end Constants;

  package Math "Elementary functions"
    function sin "sine"
      input Real u;
      output Real y;
      external "builtin" y = sin(u);
    end sin;
    function cos "cosine"
      input Real u;
      output Real y;
      external "builtin" y = cos(u);
    end cos;
    function tan "tangent"
      input Real u;
      output Real y;
      external "builtin" y = tan(u);
    end tan;
    function asin "inverse sine"
      input Real u;
      output Real y;
      external "builtin" y = asin(u);
    end asin;
    function acos "inverse cosine"
      input Real u;
      output Real y;
      external "builtin" y = acos(u);
    end acos;
    function atan "inverse tangent"
      input Real u;
      output Real y;
      external "builtin" y = atan(u);
    end atan;
    function sinh "hyperbolic sine"
      input Real u;
      output Real y;
      external "builtin" y = sinh(u);
    end sinh;
    function cosh "hyperbolic cosine"
      input Real u;
      output Real y;
      external "builtin" y = cosh(u);
    end cosh;
    function tanh "hyperbolic tangent"
      input Real u;
      output Real y;
      external "builtin" y = tanh(u);
    end tanh;
    function exp "exponential, base e"
      input Real u;
      output Real y;
      external "builtin" y = exp(u);
    end exp;
    function log "logarithm, base e"
      input Real u;
      output Real y;
      external "builtin" y = log(u);
    end log;
    function log10 "logarithm, base 10"
      input Real u;
      output Real y;
      external "builtin" y = log10(u);
    end log10;
    function atan2 "inverse tangent with four quadrants"
      input Real u1;
      input Real u2;
      output Real y;
      external "builtin" y = atan2(u1, u2);
    end atan2;
  end Math;
end Modelica;
