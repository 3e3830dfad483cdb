// A value that the user gives for a parameter that follows from another, for one that the start determines, and for a variable with an equation.
//! set c=7
//! set p=2, y=3
model GivenValueReplacesABinding
  parameter Real a = 2;
  parameter Real c = 3*a;
  parameter Real p(fixed = false, start = 1);
  Real y = c*time;
  Real x(start = 1, fixed = true);
initial equation
  p = 2*c;
equation
  der(x) = -p*x;
end GivenValueReplacesABinding;
