// Sensors and a controller that know each other by the names on a bus.
// Shows: expandable connectors, connectors of the user's own, signals that a name on the bus connects.
package Plant
  connector Outlet "A tank's outlet"
    Real level;
    flow Real q;
  end Outlet;

  model Tank
    Outlet outlet;
    parameter Real A = 1, level_start = 1;
    Real level(start = level_start, fixed = true);
    input Real q_in;
  equation
    A*der(level) = q_in + outlet.q;
    outlet.level = level;
  end Tank;

  model Pipe
    Outlet a, b;
    parameter Real k = 0.3;
  equation
    a.q = k*(a.level - b.level);
    a.q + b.q = 0;
  end Pipe;

  model Gauge
    Outlet outlet;
    Parts.Signals.RealOutput y;
  equation
    outlet.q = 0;
    y = outlet.level;
  end Gauge;

  model Controller
    Parts.Signals.Bus bus;
    Parts.Signals.Gain gain(k = 2);
    Parts.Signals.Difference error;
    Parts.Signals.Constant wanted(k = 1.5);
  equation
    connect(wanted.y, error.reference);
    connect(bus.level, error.measured);
    connect(error.y, gain.u);
    connect(gain.y, bus.inflow);
  end Controller;

  model All
    Parts.Signals.Bus bus;
    Controller controller;
    Tank tank[3](A = {1, 0.5, 2}, level_start = {1, 0.5, 0});
    Pipe pipe[2];
    Gauge gauge;
    Parts.Signals.Gain pump(k = 1);
  equation
    connect(controller.bus, bus);
    connect(gauge.y, bus.level);
    connect(bus.inflow, pump.u);
    connect(gauge.outlet, tank[3].outlet);
    for k in 1:2 loop
      connect(tank[k].outlet, pipe[k].a);
      connect(pipe[k].b, tank[k + 1].outlet);
    end for;
    tank[1].q_in = pump.y;
    tank[2].q_in = 0;
    tank[3].q_in = -0.05;
    annotation(experiment(StopTime = 20, Tolerance = 1e-8));
  end All;
end Plant;
