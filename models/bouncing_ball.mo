// A ball that loses part of its speed at every impact and comes to rest.
// Shows: state events, `when` with a vector of conditions, `reinit`, `edge` and `pre`, a Boolean that switches the dynamics.
// Expected: impacts at 0.45 s, 1.08 s, 1.52 s, ...; from about 2.6 s on the ball lies on the ground.
model BouncingBall "Ball with restitution that comes to rest"
  parameter Real e = 0.7 "part of the speed that is left after an impact";
  parameter Real g(unit = "m/s2") = 9.81 "gravity";
  Real h(unit = "m", start = 1, fixed = true) "height";
  Real v(unit = "m/s", start = 0, fixed = true) "speed";
  Boolean flying(start = true, fixed = true) "false once the ball lies";
  Boolean impact "the ball touches the ground";
  Real v_new(unit = "m/s", start = 0, fixed = true) "speed after the last impact";
equation
  impact = h <= 0;
  der(v) = if flying then -g else 0;
  der(h) = v;
  when {h <= 0 and v <= 0, impact} then
    v_new = if edge(impact) then -e*pre(v) else 0;
    flying = v_new > 0;
    reinit(v, v_new);
  end when;
  annotation(experiment(StopTime = 3, Tolerance = 1e-8));
end BouncingBall;
