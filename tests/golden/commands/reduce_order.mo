// Lower order: a chain with a switch; what is discrete stays and reads the output of the smaller model, which runs again.
//! command reduce MODEL --by order --output y --error 0.1% -o r.mo
//! command check r.mo
//! command run r.mo -o r.csv
//! command reduce MODEL --by order --output y --order 2 --truncate
//! command reduce MODEL --by order --output y --order 2 --reset a
model ReduceOrder
  parameter Integer n = 5;
  Real x[n](each start = 0, each fixed = true) "a chain";
  Real y "its end", u "what it ends in";
  Boolean on(start = true, fixed = true);
equation
  u = sin(0.5*time);
  der(x[1]) = (if on then 4 else 0) - 2*x[1] + x[2];
  for i in 2:n - 1 loop
    der(x[i]) = x[i - 1] - 2*x[i] + x[i + 1];
  end for;
  der(x[n]) = x[n - 1] - 2*x[n] + u;
  y = x[n];
  when sample(0, 0.5) then
    on = y < 0.5 or pre(on) and y < 1;
  end when;
  annotation(experiment(StopTime = 40, Interval = 0.1, Tolerance = 1e-9));
end ReduceOrder;
//! expect
// exit code 0
// exit code 0
// exit code 0
// exit code 0
// exit code 0
// files: r.csv r.mo
