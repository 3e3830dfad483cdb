within Parts;
package Electrical "Circuits"
  import Parts.Units.{Voltage, Current, Resistance, Capacitance, Inductance};

  connector Pin
    Voltage v "potential";
    flow Current i "into the component";
  end Pin;

  connector PositivePin = Pin;
  connector NegativePin = Pin;

  partial model TwoPin
    Voltage v "from p to n";
    Current i "through the component";
    PositivePin p;
    NegativePin n;
  equation
    v = p.v - n.v;
    p.i + n.i = 0;
    i = p.i;
  end TwoPin;

  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;

  partial model Heated "What loses heat where it is asked to"
    parameter Boolean useHeatPort = false annotation(Evaluate = true);
    parameter Parts.Units.Temperature T = Parts.Constants.T_room "without a heat port";
    Parts.Thermal.HeatPort heatPort(T = T_own, Q_flow = -loss) if useHeatPort;
  protected
    Parts.Units.HeatFlowRate loss;
    Parts.Units.Temperature T_own;
  equation
    if not useHeatPort then
      T_own = T;
    end if;
  end Heated;

  model Resistor
    extends TwoPin;
    extends Heated;
    parameter Resistance R = 1;
    parameter Real alpha(unit = "1/K") = 0;
  equation
    v = R*(1 + alpha*(T_own - Parts.Constants.T_room))*i;
    loss = v*i;
  end Resistor;

  model Capacitor
    extends TwoPin(v(start = 0));
    parameter Capacitance C = 1;
  equation
    C*der(v) = i;
  end Capacitor;

  model Inductor
    extends TwoPin(i(start = 0));
    parameter Inductance L = 1;
  equation
    L*der(i) = v;
  end Inductor;

  model Diode "Two straight lines"
    extends TwoPin;
    parameter Resistance Ron = 1e-3;
    parameter Real Goff(unit = "S") = 1e-5;
    Boolean off(start = true);
  protected
    Real s;
  equation
    off = s < 0;
    v = s*(if off then 1 else Ron);
    i = s*(if off then Goff else 1);
  end Diode;

  model Switch
    extends TwoPin;
    parameter Resistance Ron = 1e-3;
    parameter Real Goff(unit = "S") = 1e-6;
    Parts.Signals.BooleanInput closed;
  equation
    v = if closed then Ron*i else i/Goff;
  end Switch;

  model Source "A voltage that a signal gives"
    extends TwoPin;
    replaceable Parts.Signals.Constant signal constrainedby Parts.Signals.SingleOutput;
  equation
    v = signal.y;
  end Source;

  model SignalVoltage
    extends TwoPin;
    Parts.Signals.RealInput u;
  equation
    v = u;
  end SignalVoltage;

  model Machine "Electrical to mechanical power"
    extends TwoPin;
    parameter Real k(unit = "V.s/rad") = 1;
    Parts.Rotational.Flange flange;
    Parts.Units.AngularVelocity w;
  equation
    w = der(flange.phi);
    v = k*w;
    flange.tau = -k*i;
  end Machine;

  model Line "A line as a ladder of equal parts"
    parameter Integer n(min = 1) = 3;
    parameter Resistance R = 1;
    parameter Capacitance C = 1;
    PositivePin p;
    NegativePin n_pin;
    Resistor r[n](each R = R/n);
    Capacitor c[n](each C = C/n, v(each fixed = true));
  equation
    connect(p, r[1].p);
    for i in 1:n - 1 loop
      connect(r[i].n, r[i + 1].p);
    end for;
    for i in 1:n loop
      connect(r[i].n, c[i].p);
      connect(c[i].n, n_pin);
    end for;
  end Line;
end Electrical;
