// Samples are scheduled before the simulation starts; `p` is constant although it is no parameter, `x` is not.
model SampleAtAVariable
  Real x(start = 0, fixed = true), p = 0.3;
  discrete Real n(start = 0, fixed = true), m(start = 0, fixed = true);
equation
  der(x) = 1;
  when sample(p, 0.25) then
    n = pre(n) + 1;
  end when;
  when sample(0.1, x + 0.25) then
    m = pre(m) + 1;
  end when;
end SampleAtAVariable;
//! expect
// error[S008]: x is needed before the simulation starts, and it changes
//    ┌─ sample_at_a_variable.mo:10:8
//    │
// 10 │   when sample(0.1, x + 0.25) then
//    │        ^^^^^^^^^^^^^^^^^^^^^ a parameter is needed here
//    │
//    = hint: `sample` takes parameters; for times that change use `when time >= next`
//
