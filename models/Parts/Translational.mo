within Parts;
package Translational "Along a line"
  connector Flange
    Units.Position s;
    flow Units.Force f;
  end Flange;

  model World "What acts on all masses"
    parameter Real g(unit = "m/s2") = Constants.g;
  end World;

  partial model Rigid
    Flange flange;
    Units.Position s;
  equation
    s = flange.s;
  end Rigid;

  model Mass
    extends Rigid;
    outer World world;
    parameter Units.Mass m = 1;
    Units.Velocity v;
  equation
    v = der(s);
    m*der(v) = flange.f - m*world.g;
  end Mass;

  partial model Link "Acts between two flanges"
    Flange a, b;
    parameter Units.Length s0 = 0 "length at rest";
    Units.Length s_rel;
    Units.Force f;
  equation
    s_rel = b.s - a.s;
    b.f = f;
    a.f = -f;
  end Link;

  model Spring
    extends Link;
    parameter Real c(unit = "N/m") = 1;
  equation
    f = c*(s_rel - s0);
  end Spring;


  model CubicSpring "Grows harder"
    extends Link;
    parameter Real c = 1, c3 = 0;
  equation
    f = c*(s_rel - s0) + c3*(s_rel - s0)^3;
  end CubicSpring;

  model Damper
    extends Link;
    parameter Real d(unit = "N.s/m") = 1;
  equation
    f = d*der(s_rel);
  end Damper;

  model Road "A flange that follows a signal"
    Flange flange;
    Signals.RealInput s;
  equation
    flange.s = s;
  end Road;

  model Suspension "Spring and damper that can be replaced"
    Flange a, b;
    replaceable model SpringModel = Spring constrainedby Link;
    SpringModel spring;
    replaceable Damper damper constrainedby Link;
  equation
    connect(a, spring.a);
    connect(a, damper.a);
    connect(spring.b, b);
    connect(damper.b, b);
  end Suspension;
end Translational;
