// A model ends its run itself; what happens in a `when` happens at its moment.
//! command run MODEL -o a.csv --intervals 2
model Decay
  Real x(start = 1, fixed = true);
equation
  der(x) = -1;
  when x < 0.5 then
    assert(x < 0.1, "half is gone", AssertionLevel.warning);
  end when;
  when x < 0.25 then
    terminate("three quarters are gone");
  end when;
  annotation(experiment(StopTime = 5));
end Decay;
//! expect
// exit code 0
// warning: at time 0.5: half is gone
// files: a.csv
