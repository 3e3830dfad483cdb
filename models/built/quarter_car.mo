// A quarter of a car over a bump, its spring replaced by one that grows harder.
// Shows: a class and a component that are replaceable, gravity of a world around all masses.
model QuarterCar
  extends Parts.Constants;
  inner Parts.Translational.World world;
  Parts.Translational.Mass wheel(m = 36, s(start = 0.3, fixed = true), v(start = 0, fixed = true));
  Parts.Translational.Mass body(m = 260, s(start = 0.6, fixed = true), v(start = 0, fixed = true));
  Parts.Translational.Suspension tyre(spring(s0 = 0.3, c = 2e5), damper(d = 200));
  Parts.Translational.Suspension suspension(
    redeclare model SpringModel = Parts.Translational.CubicSpring(c = 2e4, c3 = 4e5),
    spring(s0 = 0.45),
    redeclare Parts.Translational.Damper damper(d = 1500));
  Parts.Translational.Road road;
equation
  road.s = if time < 1 then 0 elseif time < 1.5 then 0.025*(1 - cos(4*pi*(time - 1))) else 0;
  connect(road.flange, tyre.a);
  connect(tyre.b, wheel.flange);
  connect(wheel.flange, suspension.a);
  connect(suspension.b, body.flange);
  annotation(experiment(StopTime = 4, Tolerance = 1e-8));
end QuarterCar;
