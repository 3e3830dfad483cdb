// Files that are not there, are folders, or are no text.
//! command check none.mo
//! command check .
//! command run MODEL --solver newton
model UnreadableFile
  Real x = 1;
end UnreadableFile;
//! expect
// exit code 2
// error: cannot read none.mo: No such file or directory (os error 2)
// exit code 2
// error: . is a directory; give a .mo file
// exit code 2
// error: invalid value 'newton' for '--solver <SOLVER>': there is no solver `newton`; there are euler, implicit-euler, midpoint, implicit-midpoint, heun, rk4, dopri5, esdirk, bdf
//
// For more information, try '--help'.
// files:
