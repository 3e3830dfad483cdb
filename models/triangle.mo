// Three masses in the plane, joined to each other and to three fixed points by springs with damping along their length.
// Shows: arrays of points and a function of several arguments that is inlined and differentiated; one spring is a hundred times
// stiffer than the others.
// Expected: the masses fall from rest, swing for about ten seconds and come to rest about 10 m lower.
function pull "Force per length of a damped spring from one point to another, positive when it pulls"
  input Real k "stiffness";
  input Real d "damping";
  input Real d_x, d_y "from the one end to the other";
  input Real d_vx, d_vy "the same for the velocities";
  output Real f;
protected
  Real length;
algorithm
  length := sqrt(d_x^2 + d_y^2);
  f := (k*(length - 1) + d*(d_vx*d_x + d_vy*d_y)/length)/length;
end pull;

model Triangle "Three masses on springs"
  parameter Real ktl = 1, ktr = 1, kbc = 1, klr = 1, kcl = 10, kcr = 100 "stiffness";
  parameter Real dtl = 1, dtr = 1, dbc = 1, dlr = 2, dcl = 1, dcr = 1 "damping";
  parameter Real g = 9.81 "gravity";
  parameter Real top_left[2] = {-2, 3}, top_right[2] = {2, 3}, bottom[2] = {0, -1} "fixed points";
  Real c[2](start = {0, 0}, each fixed = true), vc[2](each start = 0, each fixed = true) "centre";
  Real l[2](start = {-1, 1}, each fixed = true), vl[2](each start = 0, each fixed = true) "left";
  Real r[2](start = {1, 1}, each fixed = true), vr[2](each start = 0, each fixed = true) "right";
  Real f_bc, f_tl, f_tr, f_lr, f_cl, f_cr "forces per length";
equation
  f_bc = pull(kbc, dbc, bottom[1] - c[1], bottom[2] - c[2], -vc[1], -vc[2]);
  f_tl = pull(ktl, dtl, top_left[1] - l[1], top_left[2] - l[2], -vl[1], -vl[2]);
  f_tr = pull(ktr, dtr, top_right[1] - r[1], top_right[2] - r[2], -vr[1], -vr[2]);
  f_lr = pull(klr, dlr, r[1] - l[1], r[2] - l[2], vr[1] - vl[1], vr[2] - vl[2]);
  f_cl = pull(kcl, dcl, l[1] - c[1], l[2] - c[2], vl[1] - vc[1], vl[2] - vc[2]);
  f_cr = pull(kcr, dcr, r[1] - c[1], r[2] - c[2], vr[1] - vc[1], vr[2] - vc[2]);
  der(c) = vc;
  der(l) = vl;
  der(r) = vr;
  der(vc) = f_bc*(bottom - c) + f_cl*(l - c) + f_cr*(r - c) - {0, g};
  der(vl) = f_tl*(top_left - l) - f_cl*(l - c) + f_lr*(r - l) - {0, g};
  der(vr) = f_tr*(top_right - r) - f_cr*(r - c) - f_lr*(r - l) - {0, g};
  annotation(experiment(StopTime = 20, Tolerance = 1e-8));
end Triangle;
