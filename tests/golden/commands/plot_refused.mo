// Result files that cannot be drawn as asked: nothing is left behind.
//! file r.csv time,speed,T[1],T[2]|0,1,2,3|1,2,3,4
//! file only.csv time|0|1
//! file none.csv time,x
//! file text.csv time,x|0,high
//! file many.csv time,a1,a2,a3,a4,a5,a6,a7,a8,a9,b1,b2,b3,b4|0,0,0,0,0,0,0,0,0,0,0,0,0,0|1,0,0,0,0,0,0,0,0,0,0,0,0,1
//! command plot r.csv --signals sped
//! command plot r.csv --signals unheard
//! command plot r.csv --signals T[3]
//! command plot r.csv --signals x.* -o a.svg
//! command plot r.csv --signals *x -o a.svg
//! command plot r.csv --signals speed,,T
//! command plot r.csv -o a.pdf
//! command plot r.csv -o r.csv
//! command plot r.csv -o missing/a.svg
//! command plot only.csv -o a.svg
//! command plot none.csv -o a.svg
//! command plot text.csv -o a.svg
//! command plot absent.mat
//! command plot MODEL
//! command plot many.csv
model PlotRefused
end PlotRefused;
//! expect
// exit code 2
// error: r.csv has no signal `sped`; similar: speed
// exit code 2
// error: r.csv has no signal `unheard`; it has speed, T[1], T[2]
// exit code 2
// error: r.csv has no signal `T[3]`; similar: T[1], T[2]
// exit code 2
// error: r.csv has no signal whose whole name matches `x.*`
// exit code 2
// error: `*x` is no pattern: repetition operator missing expression
// exit code 2
// error: invalid value 'speed,,T' for '--signals <NAMES>': expected names separated by commas, as in a,b
//
// For more information, try '--help'.
// exit code 2
// error: invalid value 'a.pdf' for '--output <FILE>': `a.pdf` is no file for a picture; its name has to end in .svg, .png or .html
//
// For more information, try '--help'.
// exit code 2
// error: invalid value 'r.csv' for '--output <FILE>': `r.csv` is no file for a picture; its name has to end in .svg, .png or .html
//
// For more information, try '--help'.
// exit code 2
// error: cannot write `missing/a.svg`: No such file or directory (os error 2)
// exit code 2
// error: only.csv has no signals beside time
// exit code 2
// error: `none.csv` is not a result file that can be read: it has no points
// exit code 2
// error: `text.csv` is not a result file that can be read: line 2: `high` is not a number
// exit code 2
// error: cannot read `absent.mat`: No such file or directory (os error 2)
// exit code 2
// error: `plot_refused.mo` has no ending of a result file; .mat, .csv and .plt can be read
// exit code 2
// error: many.csv: these are 13 signals, and the terminal shows 12 at most, a picture (.svg, .png) 40, a page (.html) 1000; --signals chooses among a1, a2, a3, a4, a5, a6, a7, a8 and 5 more
// files: many.csv none.csv only.csv r.csv text.csv
