// A name in --plot that the model does not have, a parameter, and a picture of an unknown kind.
//! command run MODEL --plot velocty
//! command run MODEL --plot k
//! command run MODEL --plot velocity=a.pdf
model PlotUnknown
  parameter Real k = 2;
  Real velocity(start = 1, fixed = true);
equation
  der(velocity) = -k*velocity;
end PlotUnknown;
//! expect
// exit code 2
// error: --plot: the model has no variable `velocty`; similar: velocity
// exit code 2
// error: --plot: `k` is a parameter: it does not change during the run
// exit code 2
// error: invalid value 'velocity=a.pdf' for '--plot <NAMES[=FILE]>': `a.pdf` is no file for a picture; its name has to end in .svg or .png
//
// For more information, try '--help'.
// files:
