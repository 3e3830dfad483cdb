// A name in --plot that the model does not have, a parameter, patterns that match nothing or are none, and a picture of an unknown kind.
//! command run MODEL --plot velocty
//! command run MODEL --plot k
//! command run MODEL --plot T[4]
//! command run MODEL --plot x.*
//! command run MODEL --plot T(.*
//! command run MODEL --plot velocity=a.pdf
model PlotUnknown
  parameter Real k = 2;
  Real velocity(start = 1, fixed = true);
  Real T[3](each start = 1, each fixed = true);
equation
  der(velocity) = -k*velocity;
  der(T) = -T;
end PlotUnknown;
//! expect
// exit code 2
// error: --plot: the model has no variable `velocty`; similar: velocity
// exit code 2
// error: --plot: `k` is a parameter: it does not change during the run
// exit code 2
// error: --plot: the model has no variable `T[4]`; similar: T[1], T[2], T[3]
// exit code 2
// error: --plot: the model has no variable whose whole name matches `x.*`
// exit code 2
// error: --plot: `T(.*` is no pattern: unclosed group
// exit code 2
// error: invalid value 'velocity=a.pdf' for '--plot <NAMES[=FILE]>': `a.pdf` is no file for a picture; its name has to end in .svg, .png or .html
//
// For more information, try '--help'.
// files:
