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
// model Buses.ExpandableConnectors
//   Real part.source.y
//   parameter Real part.source.k = 3.0
//   Real sink.u
//   Real sink.x
//   Real two[1].y
//   parameter Real two[1].k = 1.0
//   Real two[2].y
//   parameter Real two[2].k = 2.0
//   Real last.u
//   Real last.x
//   Real[2] bus.both
//   Real part.bus.speed
//   Real bus.part.speed
// equation
//   part.source.y = part.source.k * time
//   sink.x = 2.0 * sink.u
//   two[1].y = two[1].k * time
//   two[2].y = two[2].k * time
//   last.x = 2.0 * last.u
//   part.bus.speed = bus.part.speed
//   part.bus.speed = sink.u
//   part.bus.speed = part.source.y
//   two[1].y = bus.both[1]
//   two[2].y = bus.both[2]
//   two[2].y = last.u
// end Buses.ExpandableConnectors
