// Files that are not there, are folders, or are no text.
//! file latin.mo model M|  Real h = 1 "H\xF6he";|end M;|
//! file empty.mo 
//! command check latin.mo
//! command check empty.mo
//! command check none.mo
//! command check .
//! command run MODEL --solver newton
model UnreadableFile
  Real x = 1;
end UnreadableFile;
//! expect
// exit code 2
// error: latin.mo:2:16: not UTF-8 text (byte 0xF6); save the file in the encoding UTF-8
// exit code 1
// error[P008]: the file is empty
//  = hint: a model is written `model M ... end M;`
//
//
// exit code 2
// error: cannot read none.mo: No such file or directory (os error 2)
// exit code 2
// error: . is a directory; give a .mo file
// exit code 2
// error: invalid value 'newton' for '--solver <SOLVER>': there is no solver `newton`; there are euler, implicit-euler, midpoint, implicit-midpoint, heun, rk4, dopri5, esdirk, bdf, auto
//
// For more information, try '--help'.
// files: empty.mo latin.mo
