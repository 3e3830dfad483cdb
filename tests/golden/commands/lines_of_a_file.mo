// Parameters read lines of files while the model is compiled; built-in functions are arguments of functions.
//! file data.txt one|2.5|three
//! command run MODEL -o x.csv --intervals 1
//! command check MODEL --set file=/etc/passwd
partial function shape
  input Real u;
  output Real y;
end shape;
function scaled
  input Real a;
  input Real u;
  output Real y;
algorithm
  y := a*u^2;
end scaled;
function integral
  input shape f;
  input Real to;
  output Real y;
algorithm
  y := to/6*(f(0) + 4*f(to/2) + f(to));
end integral;
model Lines
  parameter String file = "data.txt";
  parameter Integer n = Modelica.Utilities.Streams.countLines(file);
  parameter String line = Modelica.Utilities.Streams.readLine(file, 2);
  parameter String all[n] = Modelica.Utilities.Streams.readFile(file);
  Real x[n](each start = 1, each fixed = true);
  Real y = integral(function scaled(a = 2), time) + integral(exp, time) + integral(function Modelica.Math.sin(), time);
equation
  der(x) = -x;
  assert(n == 3 and line == "2.5" and all[3] == "three" and size(all, 1) == n, "the lines are read");
  assert(time < 0.5 or abs(y - (2/3*time^3 + exp(time) - 1 + 1 - cos(time))) < 1e-2, "y is " + String(y));
initial algorithm
  Modelica.Utilities.Streams.print(all[1] + " and " + line);
  Modelica.Utilities.Streams.close(file);
end Lines;
//! expect
// exit code 0
// note[F034]: 7 functions that the file needs and does not define are taken from texts of Partita for the Modelica Standard Library
//    ┌─ lines_of_a_file.mo:25:25
//    │
// 25 │   parameter Integer n = Modelica.Utilities.Streams.countLines(file);
//    │                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the file does not define this function
//    │
//    = the evidence: their full names
//    = supplied: `Modelica.Utilities.Streams.countLines`, `Modelica.Utilities.Streams.readLine`, `Modelica.Utilities.Streams.readFile`, `Modelica.Math.exp`, `Modelica.Math.sin`, `Modelica.Utilities.Streams.print`, `Modelica.Utilities.Streams.close`
//
//
// exit code 1
// error[F019]: the file `/etc/passwd` lies outside the folders that this model may read; `--allow-files /etc` allows it
//    ┌─ lines_of_a_file.mo:25:25
//    │
// 25 │   parameter Integer n = Modelica.Utilities.Streams.countLines(file);
//    │                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ evaluated at compile time
//    │
//    = and at 1 more place: line 26
//
//
// error[F020]: the size of `all` is not known at compile time
//    ┌─ lines_of_a_file.mo:27:24
//    │
// 27 │   parameter String all[n] = Modelica.Utilities.Streams.readFile(file);
//    │                        ^ depends on something that is not a constant or a parameter with a value
//
//
// error[F020]: the size of `x` is not known at compile time
//    ┌─ lines_of_a_file.mo:28:10
//    │
// 28 │   Real x[n](each start = 1, each fixed = true);
//    │          ^ depends on something that is not a constant or a parameter with a value
//
//
// error[F021]: too many subscripts on String
//    ┌─ lines_of_a_file.mo:32:39
//    │
// 32 │   assert(n == 3 and line == "2.5" and all[3] == "three" and size(all, 1) == n, "the lines are read");
//    │                                       ^^^^^^
//
//
// error[F021]: there is no dimension 1
//    ┌─ lines_of_a_file.mo:32:61
//    │
// 32 │   assert(n == 3 and line == "2.5" and all[3] == "three" and size(all, 1) == n, "the lines are read");
//    │                                                             ^^^^^^^^^^^^ of String
//
//
// error[F021]: too many subscripts on String
//    ┌─ lines_of_a_file.mo:35:36
//    │
// 35 │   Modelica.Utilities.Streams.print(all[1] + " and " + line);
//    │                                    ^^^^^^
//
//
// 6 errors
// files: data.txt x.csv
