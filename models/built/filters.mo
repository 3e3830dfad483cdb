// A signal through filters of the standard library and a user's own block that holds it.
// Shows: connectors of the standard library in classes of one's own, an enumeration as a parameter, `break` in an extends clause.
package Filters
  block Base
    extends Modelica.Blocks.Interfaces.SISO;
    Modelica.Blocks.Continuous.FirstOrder slow(T = 0.5, k = 2, initType = Modelica.Blocks.Types.Init.InitialState, y_start = 1);
    Modelica.Blocks.Math.Gain gain(k = 10);
  equation
    connect(u, slow.u);
    connect(slow.y, gain.u);
    connect(gain.y, y);
  end Base;

  block Changed "Without the gain, with a limit in its place"
    extends Base(break gain, slow(T = 0.2));
    Modelica.Blocks.Nonlinear.Limiter limit(uMax = 1.5, uMin = -1);
  equation
    connect(slow.y, limit.u);
    connect(limit.y, y);
  end Changed;

  model All
    Modelica.Blocks.Sources.Sine source(f = 1, amplitude = 2);
    Changed block_;
    Modelica.Blocks.Continuous.Integrator sum(k = 3, y_start = 0.5);
  equation
    connect(source.y, block_.u);
    connect(block_.y, sum.u);
    annotation(experiment(StopTime = 3, Tolerance = 1e-8));
  end All;
end Filters;
