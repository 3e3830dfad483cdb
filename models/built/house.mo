// Two rooms with walls of layers, a heater with a thermostat in one of them.
// Shows: an array of rooms with different parameters, an ambient that all of them mean, conditional components, records as parameters.
model House
  inner Parts.Thermal.Ambient ambient(T = 273.15);
  Parts.Thermal.Room room[2](C = {2e5, 1e5}, hasWindow = {true, false}, wall(each material = Parts.Thermal.wool, each A = 20));
  Parts.Thermal.Conductor door(G = 20);
  Parts.Thermal.Heater heater;
  Parts.Thermal.Sensor sensor;
  Parts.Signals.Hysteresis thermostat(low = -294.15, high = -292.15, start = false);
  Parts.Signals.Gain minus(k = -1);
equation
  connect(room[1].port, door.a);
  connect(door.b, room[2].port);
  connect(heater.port, room[1].port);
  connect(sensor.port, room[2].port);
  connect(sensor.T, minus.u);
  connect(minus.y, thermostat.u);
  heater.Q = if thermostat.y then 1500 else 0;
  annotation(experiment(StopTime = 40000, Tolerance = 1e-8));
end House;
