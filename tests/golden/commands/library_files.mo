// A library with a file that is no text, and one whose file does not define what its folder promises.
model LibraryFiles
  Broken.Part part;
  Empty.Part other;
end LibraryFiles;
//! file Broken/package.mo package Broken|model Part|Real x = 1; // \xFF|end Part;|end Broken;
//! file Empty/package.mo package Other|end Other;
//! command check MODEL --library Broken
//! command check MODEL --library Empty
//! expect
// exit code 1
// error[L001]: cannot read Broken/package.mo: stream did not contain valid UTF-8
//
//
// exit code 1
// error[L002]: Empty/package.mo does not define `Empty`
//
//
// files: Broken Empty
