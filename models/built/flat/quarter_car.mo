// The same car as forces on two masses.
model QuarterCar
  constant Real pi = 3.14159265358979;
  Real wheel(start = 0.3, fixed = true), v_wheel(start = 0, fixed = true);
  Real body(start = 0.6, fixed = true), v_body(start = 0, fixed = true);
  Real road, v_road, tyre, link, stretch;
equation
  road = if time < 1 then 0 elseif time < 1.5 then 0.025*(1 - cos(4*pi*(time - 1))) else 0;
  v_road = der(road);
  tyre = 2e5*(wheel - road - 0.3) + 200*(v_wheel - v_road);
  link = 2e4*(body - wheel - 0.45) + 4e5*(body - wheel - 0.45)^3 + 1500*(v_body - v_wheel);
  stretch = body - wheel;
  der(wheel) = v_wheel;
  der(body) = v_body;
  36*der(v_wheel) = link - tyre - 36*9.81;
  260*der(v_body) = -link - 260*9.81;
  annotation(experiment(StopTime = 4, Tolerance = 1e-8));
end QuarterCar;
