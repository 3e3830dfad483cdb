// A fixed start of a discrete variable is the first value of its `pre`: `count` keeps its own, `shown` has none to keep.
model Counter
  Integer count(start = 3, fixed = true);
  Integer shown(start = 0, fixed = true);
equation
  shown = count;
  when sample(1, 1) then
    count = pre(count) + 1;
  end when;
end Counter;
//! expect
// aliases of Counter: 1 eliminated
//   shown = count
// equations
//   e0: discrete count = if $when4 then pre(count) + 1 else pre(count)
//   e1: activation: $when4 = $sample3 and not pre($sample3)
