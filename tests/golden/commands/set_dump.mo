// What is given replaces what is written, also for commands that do not run the model.
//! shown dump MODEL --pass flat --set a=5,m=fast,v[2]=7,x.start=3
//! shown check MODEL --set n=4
model SetDump
  type Mode = enumeration(slow, fast);
  parameter Real a = 2;
  parameter Integer n = 2;
  parameter Mode m = Mode.slow;
  parameter Real v[n] = fill(a, n);
  final parameter Real c = 3*a;
  Real x[n](each start = 1, each fixed = true);
equation
  for i in 1:n loop
    der(x[i]) = if m == Mode.fast then -c*x[i] else v[i];
  end for;
end SetDump;
