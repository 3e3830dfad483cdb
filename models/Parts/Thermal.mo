within Parts;
package Thermal "Heat"
  encapsulated model Ambient "The temperature around everything"
    import Parts.Units.Temperature;
    parameter Temperature T = 283.15;
  end Ambient;

  connector HeatPort
    Units.Temperature T;
    flow Units.HeatFlowRate Q_flow;
  end HeatPort;

  record Material
    Real c(unit = "J/(kg.K)") = 900;
    Real rho(unit = "kg/m3") = 2000;
    Real lambda(unit = "W/(m.K)") = 1;
  end Material;

  constant Material brick(c = 840, rho = 1800, lambda = 0.8);
  constant Material wool = Material(c = 1030, rho = 30, lambda = 0.04);

  model Capacity
    HeatPort port;
    parameter Units.HeatCapacity C = 1;
    Units.Temperature T(start = 293.15, fixed = true) = port.T;
  equation
    C*der(T) = port.Q_flow;
  end Capacity;

  model Conductor
    HeatPort a, b;
    parameter Units.ThermalConductance G = 1;
    Units.HeatFlowRate Q_flow;
  equation
    Q_flow = G*(a.T - b.T);
    a.Q_flow = Q_flow;
    b.Q_flow = -Q_flow;
  end Conductor;

  model Outside "The ambient as a port"
    outer Ambient ambient;
    HeatPort port;
  equation
    port.T = ambient.T;
  end Outside;

  model Heater
    HeatPort port;
    Signals.RealInput Q;
  equation
    port.Q_flow = -Q;
  end Heater;

  model Sensor
    HeatPort port;
    Signals.RealOutput T;
  equation
    port.Q_flow = 0;
    T = port.T;
  end Sensor;

  model Wall "Layers between two sides"
    parameter Integer n(min = 1) = 3 "layers";
    parameter Real A(unit = "m2") = 10, d(unit = "m") = 0.24;
    parameter Material material = brick;
    HeatPort inside, outside;
    final parameter Units.HeatCapacity C = material.c*material.rho*A*d/n;
    final parameter Units.ThermalConductance G = material.lambda*A*n/d;
    Capacity layer[n](each C = C);
    Conductor path[n + 1](G = cat(1, {2*G}, fill(G, n - 1), {2*G}));
  equation
    connect(inside, path[1].a);
    connect(path[1:n].b, layer.port);
    connect(layer.port, path[2:n + 1].a);
    connect(path[n + 1].b, outside);
  end Wall;

  model Room
    parameter Units.HeatCapacity C = 1e5;
    parameter Boolean hasWindow = true;
    HeatPort port;
    Capacity air(C = C);
    Conductor window(G = 5) if hasWindow;
    Outside outside;
    replaceable Wall wall(n = 2);
  equation
    connect(air.port, port);
    connect(air.port, window.a);
    connect(window.b, outside.port);
    connect(air.port, wall.inside);
    connect(wall.outside, outside.port);
  end Room;
end Thermal;
