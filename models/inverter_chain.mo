// A chain of n inverters (Kvaerno and Rentrop 1999): a pulse runs through it, and everywhere else nothing moves.
//
// Shows: states that are at rest most of the time; `--multirate` computes the front only. A gate below its threshold sees nothing of the
// gate before it, not even in the Jacobian, so that a method that refines only what fails its error test misses the front.
// Expected: the pulse of 5 V enters at time 5 and reaches inverter i about 0.226*i later, turned over by each inverter. Longer chains:
// `--set n=500 --stop-time 130`, where a fraction of a hundredth of the work is left in the ideal.
model InverterChain
  parameter Integer n = 100 "inverters";
  parameter Real U = 5 "supply, V";
  parameter Real Th = 1 "threshold, V";
  parameter Real G = 100 "gain, 1/(V.s)";
  Real u "input, V";
  Real v[n](start = {if mod(i, 2) == 1 then 5 else 6.247e-3 for i in 1:n}, each fixed = true) "outputs, V";
equation
  u = if time < 5 then 0 else if time < 10 then time - 5 else if time < 15 then 5 else if time < 17 then 2.5*(17 - time) else 0;
  der(v[1]) = U - v[1] - G*(max(u - Th, 0)^2 - max(u - v[1] - Th, 0)^2);
  for i in 2:n loop
    der(v[i]) = U - v[i] - G*(max(v[i - 1] - Th, 0)^2 - max(v[i - 1] - v[i] - Th, 0)^2);
  end for;
  annotation(experiment(StopTime = 40, Interval = 0.2, Tolerance = 1e-4));
end InverterChain;
