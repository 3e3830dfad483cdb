// Car body, suspension, wheel and tyre over a smooth kerb, put together from parts with flanges, as a tool flattens such a model.
// Shows: which parts matter to a run (`partita rank`): powers of flanges, a balance of energy, a part that may go; reduction by
//        components and terms. The same car as in `car_suspension.mo`.
// Expected: the body's weight has an activity of 2269 J (37 %), the tyre's damper 0.53 J (0.01 %): it may go, and so may
//        the wheel's mass where half a percent of the body's way does not matter.
model CarParts "Quarter of a car over a smooth kerb, with flanges"
  parameter Real 'mass_t.m'(unit = "kg") = 36.6, 'mass_s.m'(unit = "kg") = 267 "masses of wheel and body";
  parameter Real 'damper_t.d'(unit = "N.s/m") = 200, 'damper_s.d'(unit = "N.s/m") = 700 "damping of tyre and suspension";
  parameter Real 'spring_t.k1'(unit = "N/m") = 193.915, 'spring_t.k3'(unit = "N/m3") = 2e8 "stiffness of the tyre";
  parameter Real 'spring_s.k1'(unit = "N/m") = 18.742, 'spring_s.k3'(unit = "N/m3") = 2e5 "stiffness of the suspension";
  parameter Real g(unit = "m/s2") = 9.81 "gravity";
  constant Real pi = 3.141592653589793;
  Real 'ground.flange.s'(unit = "m"), 'ground.flange.f'(unit = "N");
  Real 'spring_t.flange_a.s'(unit = "m"), 'spring_t.flange_a.f'(unit = "N");
  Real 'spring_t.flange_b.s'(unit = "m"), 'spring_t.flange_b.f'(unit = "N");
  Real 'spring_t.s_rel'(unit = "m") "length beyond rest";
  Real 'damper_t.flange_a.s'(unit = "m"), 'damper_t.flange_a.f'(unit = "N");
  Real 'damper_t.flange_b.s'(unit = "m"), 'damper_t.flange_b.f'(unit = "N");
  Real 'damper_t.s_rel'(unit = "m"), 'damper_t.v_rel'(unit = "m/s");
  Real 'mass_t.flange.s'(unit = "m"), 'mass_t.flange.f'(unit = "N");
  Real 'mass_t.s'(unit = "m", start = -0.03), 'mass_t.v'(unit = "m/s") "height and speed of the wheel";
  Real 'gravity_t.flange.s'(unit = "m"), 'gravity_t.flange.f'(unit = "N");
  Real 'spring_s.flange_a.s'(unit = "m"), 'spring_s.flange_a.f'(unit = "N");
  Real 'spring_s.flange_b.s'(unit = "m"), 'spring_s.flange_b.f'(unit = "N");
  Real 'spring_s.s_rel'(unit = "m") "length beyond rest";
  Real 'damper_s.flange_a.s'(unit = "m"), 'damper_s.flange_a.f'(unit = "N");
  Real 'damper_s.flange_b.s'(unit = "m"), 'damper_s.flange_b.f'(unit = "N");
  Real 'damper_s.s_rel'(unit = "m"), 'damper_s.v_rel'(unit = "m/s");
  Real 'mass_s.flange.s'(unit = "m"), 'mass_s.flange.f'(unit = "N");
  Real 'mass_s.s'(unit = "m", start = -0.3), 'mass_s.v'(unit = "m/s") "height and speed of the body";
  Real 'gravity_s.flange.s'(unit = "m"), 'gravity_s.flange.f'(unit = "N");
initial equation
  'mass_t.v' = 0;
  'mass_s.v' = 0;
  der('mass_t.v') = 0;
  der('mass_s.v') = 0;
equation
  'ground.flange.s' = if time < 1 then 0 elseif time < 1.5 then 0.4*(time - 1) - sin(4*pi*(time - 1))/(10*pi) else 0.2;
  'spring_t.s_rel' = 'spring_t.flange_b.s' - 'spring_t.flange_a.s';
  'spring_t.flange_a.f' + 'spring_t.flange_b.f' = 0;
  'spring_t.flange_b.f' = 'spring_t.k1'*'spring_t.s_rel' + 'spring_t.k3'*'spring_t.s_rel'^3;
  'damper_t.s_rel' = 'damper_t.flange_b.s' - 'damper_t.flange_a.s';
  'damper_t.v_rel' = der('damper_t.s_rel');
  'damper_t.flange_a.f' + 'damper_t.flange_b.f' = 0;
  'damper_t.flange_b.f' = 'damper_t.d'*'damper_t.v_rel';
  'mass_t.s' = 'mass_t.flange.s';
  'mass_t.v' = der('mass_t.s');
  'mass_t.m'*der('mass_t.v') = 'mass_t.flange.f';
  'gravity_t.flange.f' = 'mass_t.m'*g;
  'spring_s.s_rel' = 'spring_s.flange_b.s' - 'spring_s.flange_a.s';
  'spring_s.flange_a.f' + 'spring_s.flange_b.f' = 0;
  'spring_s.flange_b.f' = 'spring_s.k1'*'spring_s.s_rel' + 'spring_s.k3'*'spring_s.s_rel'^3;
  'damper_s.s_rel' = 'damper_s.flange_b.s' - 'damper_s.flange_a.s';
  'damper_s.v_rel' = der('damper_s.s_rel');
  'damper_s.flange_a.f' + 'damper_s.flange_b.f' = 0;
  'damper_s.flange_b.f' = 'damper_s.d'*'damper_s.v_rel';
  'mass_s.s' = 'mass_s.flange.s';
  'mass_s.v' = der('mass_s.s');
  'mass_s.m'*der('mass_s.v') = 'mass_s.flange.f';
  'gravity_s.flange.f' = 'mass_s.m'*g;
  'ground.flange.s' = 'spring_t.flange_a.s';
  'ground.flange.s' = 'damper_t.flange_a.s';
  'ground.flange.f' + 'spring_t.flange_a.f' + 'damper_t.flange_a.f' = 0;
  'mass_t.flange.s' = 'spring_t.flange_b.s';
  'mass_t.flange.s' = 'damper_t.flange_b.s';
  'mass_t.flange.s' = 'gravity_t.flange.s';
  'mass_t.flange.s' = 'spring_s.flange_a.s';
  'mass_t.flange.s' = 'damper_s.flange_a.s';
  'mass_t.flange.f' + 'spring_t.flange_b.f' + 'damper_t.flange_b.f' + 'gravity_t.flange.f' + 'spring_s.flange_a.f' + 'damper_s.flange_a.f' = 0;
  'mass_s.flange.s' = 'spring_s.flange_b.s';
  'mass_s.flange.s' = 'damper_s.flange_b.s';
  'mass_s.flange.s' = 'gravity_s.flange.s';
  'mass_s.flange.f' + 'spring_s.flange_b.f' + 'damper_s.flange_b.f' + 'gravity_s.flange.f' = 0;
  annotation(experiment(StopTime = 5, Tolerance = 1e-8));
end CarParts;
