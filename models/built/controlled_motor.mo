// A motor whose speed a controller keeps: electrical and mechanical parts, signals between them.
// Shows: components of a library, parameters by modification, a block made of blocks, a load whose law is replaced by a function.
model ControlledMotor
  import Parts.Rotational.*;
  import E = Parts.Electrical;

  function fan "Torque of a fan"
    extends Parts.Characteristic;
  algorithm
    y := 2e-3*u*abs(u);
  end fan;

  Parts.Signals.Step wanted(height = 20, startTime = 0.1);
  Parts.Signals.Difference error;
  Parts.Signals.PI controller(k = 2, T = 0.2);
  Parts.Signals.Limiter limiter(high = 48);
  E.SignalVoltage supply;
  E.Resistor r(R = 0.5);
  E.Inductor l(L = 0.01, i(fixed = true));
  E.Machine machine(k = 0.8);
  E.Ground ground;
  Inertia rotor(J = 0.02, phi(fixed = true, start = 0), w(fixed = true, start = 0));
  SpringDamper shaft(c = 400, d = 1);
  Inertia load(J = 0.1, phi(fixed = true, start = 0), w(fixed = true, start = 0));
  Drag drag(redeclare function law = fan);
  SpeedSensor speed;
equation
  connect(wanted.y, error.reference);
  connect(speed.w, error.measured);
  connect(error.y, controller.u);
  connect(controller.y, limiter.u);
  connect(limiter.y, supply.u);
  connect(supply.p, r.p);
  connect(r.n, l.p);
  connect(l.n, machine.p);
  connect(machine.n, supply.n);
  connect(supply.n, ground.p);
  connect(machine.flange, rotor.a);
  connect(rotor.b, shaft.a);
  connect(shaft.b, load.a);
  connect(load.b, drag.flange);
  connect(load.b, speed.flange);
  annotation(experiment(StopTime = 2, Tolerance = 1e-8));
end ControlledMotor;
