package Buses
  expandable connector Bus
  end Bus;
  model OpenBus
    Bus a;
    Bus b;
    Real x = time;
  equation
    connect(a.speed, b.angle);
  end OpenBus;
end Buses;
//! expect
