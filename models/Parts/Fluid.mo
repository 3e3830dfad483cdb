within Parts;
package Fluid "Streams that carry heat"
  partial package Medium
    constant String name;
    constant Real cp(unit = "J/(kg.K)");
    replaceable function enthalpy
      input Units.Temperature T;
      output Units.SpecificEnthalpy h;
    algorithm
      h := cp*(T - 273.15);
    end enthalpy;
    replaceable function temperature
      input Units.SpecificEnthalpy h;
      output Units.Temperature T;
    algorithm
      T := 273.15 + h/cp;
    end temperature;
  end Medium;

  package Water
    extends Medium(name = "water", cp = 4186);
  end Water;

  package Oil "Takes more heat the warmer it is"
    extends Medium(name = "oil", cp = 1800);
    redeclare function extends enthalpy
    protected
      Real t = T - 273.15;
    algorithm
      h := cp*t + 1.5*t^2;
    end enthalpy;
    redeclare function extends temperature
    algorithm
      T := 273.15 + (sqrt(cp^2 + 6*h) - cp)/3;
    end temperature;
  end Oil;

  connector Port
    Units.Pressure p;
    flow Units.MassFlowRate m_flow;
    stream Units.SpecificEnthalpy h_outflow;
  end Port;

  partial model WithMedium
    replaceable package Medium = Water constrainedby Parts.Fluid.Medium;
  end WithMedium;

  model Source
    extends WithMedium;
    Port port;
    Signals.RealInput m_flow;
    parameter Units.Temperature T = 293.15;
  equation
    port.m_flow = -m_flow;
    port.h_outflow = Medium.enthalpy(T);
  end Source;

  model Sink
    extends WithMedium;
    Port port;
    parameter Units.Pressure p = 1e5;
    Units.Temperature T = Medium.temperature(inStream(port.h_outflow));
  equation
    port.p = p;
    port.h_outflow = Medium.enthalpy(293.15);
  end Sink;

  model Volume
    extends WithMedium;
    Port a, b;
    parameter Units.Mass m = 1;
    parameter Units.Temperature T_start = 293.15;
    Units.SpecificEnthalpy h(start = Medium.enthalpy(T_start), fixed = true);
    Units.Temperature T = Medium.temperature(h);
  equation
    a.p = b.p;
    a.m_flow + b.m_flow = 0;
    m*der(h) = a.m_flow*(actualStream(a.h_outflow) - h) + b.m_flow*(actualStream(b.h_outflow) - h);
    a.h_outflow = h;
    b.h_outflow = h;
  end Volume;

  model Tee
    Port a, b, c;
  equation
    connect(a, b);
    connect(b, c);
  end Tee;
end Fluid;
