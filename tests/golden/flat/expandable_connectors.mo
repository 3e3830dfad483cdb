// Expandable connectors have what connections name in them; what nothing else is connected to vanishes.
package Buses
  connector RealInput = input Real;
  connector RealOutput = output Real;
  expandable connector SubBus
    Real unused "Declared, but nothing is connected to it";
  end SubBus;
  expandable connector Bus
  end Bus;
  block Source
    RealOutput y;
    parameter Real k = 1;
  equation
    y = k*time;
  end Source;
  block Sink
    RealInput u;
    Real x;
  equation
    x = 2*u;
  end Sink;
  model Part
    SubBus bus;
    Source source(k = 3);
  equation
    connect(source.y, bus.speed);
  end Part;
  model ExpandableConnectors
    Bus bus;
    Part part;
    Sink sink;
    Source two[2](k = {1, 2});
    Sink last;
  equation
    connect(part.bus, bus.part);
    connect(bus.part.speed, sink.u);
    connect(two.y, bus.both);
    connect(bus.both[2], last.u);
  end ExpandableConnectors;
end Buses;
//! expect
