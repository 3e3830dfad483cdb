model Equal
  Real x = 2*time;
  discrete Real d(start = 0, fixed = true);
  Boolean b = x == 1.0, c = d <> 3;
equation
  when b then
    d = 3;
  end when;
  assert(not c or time < 0.6, "not reached");
  assert(time < 0.9, "the end");
end Equal;
//! expect
// warning[D014]: Reals that change continuously are equal at instants only
//   ┌─ equality_of_reals.mo:4:15
//   │
// 4 │   Boolean b = x == 1.0, c = d <> 3;
//   │               ^^^^^^^^ Modelica allows this inside of functions only
//   │
//   = hint: compare with `>=` or `<=`, or `abs(a - b) < eps`
//
//
// warning[D014]: Reals are compared to the last bit
//   ┌─ equality_of_reals.mo:4:29
//   │
// 4 │   Boolean b = x == 1.0, c = d <> 3;
//   │                             ^^^^^^ Modelica allows this inside of functions only
//   │
//   = hint: values that are computed differ by rounding; compare with `abs(a - b) < eps`
//
// error[R104]: an assertion of the model failed: the end at time 0.9
//    ┌─ equality_of_reals.mo:10:3
//    │
// 10 │   assert(time < 0.9, "the end");
//    │   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
