within Parts;
package Rotational "Shafts"
  import U = Parts.Units;

  connector Flange
    U.Angle phi;
    flow U.Torque tau;
  end Flange;

  partial model Compliant
    Flange a, b;
    U.Angle phi_rel;
    U.Torque tau;
  equation
    phi_rel = b.phi - a.phi;
    b.tau = tau;
    a.tau = -tau;
  end Compliant;

  model Fixed
    parameter U.Angle phi0 = 0;
    Flange flange;
  equation
    flange.phi = phi0;
  end Fixed;

  model Inertia
    Flange a, b;
    parameter U.MomentOfInertia J = 1;
    parameter StateSelect select = StateSelect.default;
    U.Angle phi(stateSelect = select);
    U.AngularVelocity w(stateSelect = select);
  equation
    phi = a.phi;
    phi = b.phi;
    w = der(phi);
    J*der(w) = a.tau + b.tau;
  end Inertia;

  model Spring
    extends Compliant;
    parameter Real c(unit = "N.m/rad") = 1;
  equation
    tau = c*phi_rel;
  end Spring;

  model Damper
    extends Compliant;
    parameter Real d(unit = "N.m.s/rad") = 1;
  equation
    tau = d*der(phi_rel);
  end Damper;

  model SpringDamper "Both between the same flanges"
    extends Compliant;
    parameter Real c = 1, d = 0;
  equation
    tau = c*phi_rel + d*der(phi_rel);
  end SpringDamper;

  model Gear
    Flange a, b;
    parameter Real ratio = 1;
  equation
    a.phi = ratio*b.phi;
    0 = ratio*a.tau + b.tau;
  end Gear;

  model Torque
    Flange flange;
    Signals.RealInput tau;
  equation
    flange.tau = -tau;
  end Torque;

  model Drag "A load that grows with speed"
    Flange flange;
    replaceable function law = linear constrainedby Parts.Characteristic;
    function linear
      extends Parts.Characteristic;
      input Real k = 0.1;
    algorithm
      y := k*u;
    end linear;
  protected
    U.AngularVelocity w;
  equation
    w = der(flange.phi);
    flange.tau = law(w);
  end Drag;

  model SpeedSensor
    Flange flange;
    Signals.RealOutput w;
  equation
    flange.tau = 0;
    w = der(flange.phi);
  end SpeedSensor;
end Rotational;
