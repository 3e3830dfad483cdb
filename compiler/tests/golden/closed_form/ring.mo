// A ball on a tilted ring of wire that is bent like a saddle: hollows lie left and right, and the ball is in the deeper one with so little
// energy that it cannot be in the other. At time 1 the wire tips over: the turning point has to be in the other hollow, and Newton's
// method finds no way around the ring.
model Ring
  parameter Real slope = 0.003 "how much deeper one hollow is";
  parameter Real across = 1.3, along = 0.3;
  Real tilt, energy(start = 0.2976, fixed = true);
  Real x(start = -1), y(start = 0.03);
equation
  tilt = if time < 1 then slope else -slope;
  der(energy) = -(energy - 0.2972);
  x^2 + y^2 = 1;
  across*y^2 + along*x^2 + tilt*x = energy;
  annotation(experiment(StopTime = 2));
end Ring;
//! expect
// start
//   x, y: in closed form
//     0 = (along*along + (energy*(energy - 2*along) - tilt*tilt)) + (tilt*tilt + (across*((-2)*energy) + along*(2*across + (2*energy - 2*along))))*y^2 + (across*across + (along*along + across*((-2)*along)))*y^4
//     x = (y*y*(along - across) + (energy - along))/tilt
// simulation
//   x, y: in closed form
//     0 = (along*along + (energy*(energy - 2*along) - tilt*tilt)) + (tilt*tilt + (across*((-2)*energy) + along*(2*across + (2*energy - 2*along))))*y^2 + (across*across + (along*along + across*((-2)*along)))*y^4
//     x = (y*y*(along - across) + (energy - along))/tilt
// events
//   x, y: in closed form
//     0 = (along*along + (energy*(energy - 2*along) - tilt*tilt)) + (tilt*tilt + (across*((-2)*energy) + along*(2*across + (2*energy - 2*along))))*y^2 + (across*across + (along*along + across*((-2)*along)))*y^4
//     x = (y*y*(along - across) + (energy - along))/tilt
