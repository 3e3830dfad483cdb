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
// error[K001]: `a` has no connector `speed`
//   ┌─ open_bus.mo:9:15
//   │
// 9 │     connect(a.speed, b.angle);
//   │               ^^^^^
//
