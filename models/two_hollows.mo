// A ball rolls in the deeper one of two hollows, with so little energy that it cannot be in the other; at time 1 the landscape tips over.
// Shows: a polynomial equation of degree four whose branch ends at an event. Newton's method finds no way from the hollow that is no longer
// deep enough to the other one, whose two roots lie close together; the closed form knows all roots and takes the nearest.
// Expected: the turning point stays within 0.013 of -1, jumps to 0.99 at time 1 and approaches 1 slowly, as friction takes energy away.
model TwoHollows "Turning point of a ball in a landscape"
  parameter Real slope = 0.003 "how much deeper one hollow is";
  Real tilt "slope of the landscape";
  Real energy(start = -0.0024, fixed = true) "energy by weight, as a height";
  Real x(start = -1) "turning point";
equation
  tilt = if time < 1 then slope else -slope;
  der(energy) = -(energy + 0.003);
  (x^2 - 1)^2 + tilt*x = energy;
  annotation(experiment(StopTime = 2));
end TwoHollows;
