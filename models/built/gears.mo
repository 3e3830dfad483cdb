// A drive of the standard library with parts of the user's own between.
// Shows: inheritance from a partial class of the standard library, blocks of it, an array of inertias, parameters that follow others.
package Gears
  model Elastic "A gear whose teeth give"
    extends Modelica.Mechanics.Rotational.Interfaces.PartialElementaryTwoFlangesAndSupport2(useSupport = false);
    parameter Real ratio = 3;
    parameter Real c = 1e4, d = 10;
    Real slip;
  equation
    slip = flange_a.phi - ratio*flange_b.phi;
    flange_a.tau = c*slip + d*der(slip);
    0 = ratio*flange_a.tau + flange_b.tau;
  end Elastic;

  model All
    parameter Integer n = 3;
    parameter Real J = 0.1;
    final parameter Real Js[n] = {J*k for k in 1:n};
    Modelica.Blocks.Sources.Trapezoid course(amplitude = 5, rising = 0.2, width = 0.5, falling = 0.2, period = 2, startTime = 0.1);
    Modelica.Mechanics.Rotational.Sources.Torque torque;
    Modelica.Mechanics.Rotational.Components.Inertia mass[n](J = Js, each phi(fixed = true, start = 0), each w(fixed = true, start = 0));
    Elastic gear[n - 1](ratio = {3, 2});
    Modelica.Mechanics.Rotational.Components.Damper bearing(d = 0.2);
    Modelica.Mechanics.Rotational.Components.Fixed ground;
  equation
    connect(course.y, torque.tau);
    connect(torque.flange, mass[1].flange_a);
    for k in 1:n - 1 loop
      connect(mass[k].flange_b, gear[k].flange_a);
      connect(gear[k].flange_b, mass[k + 1].flange_a);
    end for;
    connect(mass[n].flange_b, bearing.flange_a);
    connect(bearing.flange_b, ground.flange);
    annotation(experiment(StopTime = 3, Tolerance = 1e-8));
  end All;
end Gears;
