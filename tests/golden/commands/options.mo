// Options that fit neither the others nor the model are refused; names of OpenModelica's methods are noted.
//! command run MODEL --solver bdf --step 0.1
//! command run MODEL --step 0.1
//! command run MODEL --filter nothing.*
//! command run MODEL --interval 0
//! command run MODEL --intervals 0
//! command run MODEL --tolerance -1
//! command run MODEL --stop-time soon
//! command run MODEL --jacobian --jacobian-at 2
//! command run MODEL --decouple --at 2
//! command analyze MODEL --at -1
//! command run MODEL --solver dassl -o a.csv
//! command run MODEL --solver rungekutta --step 0.1 -o b.csv --start-time -1
//! shown run MODEL --interval 0 --json
//! shown run none.mo --json
//! shown dump MODEL --pass states --json
model Options
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
  annotation(experiment(StopTime = 1));
end Options;
