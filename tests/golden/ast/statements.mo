// Statements, `when`, `for` and modifications print as they were read.
model Statements "what it is"
  parameter Real p(min = 0, unit = "m") = 1 "a parameter";
  discrete Real y(start = 0, fixed = true);
  Real x[2](each start = 1);
algorithm
  when {time > 0.5, sample(0, 0.1)} then
    y := pre(y) + 1;
  elsewhen time > 2 then
    y := 0;
  end when;
equation
  for i in 1:2 loop
    if p > 0 then
      der(x[i]) = -p*x[i];
    else
      der(x[i]) = 0;
    end if;
  end for;
  annotation(experiment(StopTime = 1));
end Statements;
//! expect
// model Statements "what it is"
//   parameter Real p(min = 0, unit = "m") = 1 "a parameter";
//   discrete Real y(start = 0, fixed = true);
//   Real x[2](each start = 1);
// algorithm
//   when {time > 0.5, sample(0, 0.1)} then
//     y := pre(y) + 1;
//   elsewhen time > 2 then
//     y := 0;
//   end when;
// equation
//   for i in 1:2 loop
//     if p > 0 then
//       der(x[i]) = -p * x[i];
//     else
//       der(x[i]) = 0;
//     end if;
//   end for;
//   annotation(experiment(StopTime = 1));
// end Statements;
