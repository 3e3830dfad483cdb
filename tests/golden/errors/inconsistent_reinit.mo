model InconsistentReinit
  Real x(start = 1, fixed = true);
  Real y;
  Boolean b = x < 0.5;
equation
  der(x) = -1;
  y^2 = x;
  when b then
    reinit(x, -1);
  end when;
end InconsistentReinit;
//! expect
// error[R102]: the event cannot be handled at time 0.5
//   ┌─ inconsistent_reinit.mo:7:3
//   │
// 7 │   y^2 = x;
//   │   ^^^^^^^ the equation y*y = x has no real solution for y here
//   │
//   = b2 solves 1 equation together, iterating on 1 unknown, at time 0.5000000000000036
//   = y = -0.00008631674576434906
//   = y*y = x   (residual 1.0000000074505806e0)
//
