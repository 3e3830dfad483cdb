model Sample
  parameter Real interval = 0;
  Integer n(start = 0, fixed = true);
equation
  when sample(0, interval) then
    n = pre(n) + 1;
  end when;
end Sample;
//! expect
// error[R105]: `sample` has the start 0 and the interval 0 at time 0
//   ┌─ sample_without_interval.mo:5:8
//   │
// 5 │   when sample(0, interval) then
//   │        ^^^^^^^^^^^^^^^^^^^ sample
//   │
//   = hint: the interval of `sample` must be positive
//
