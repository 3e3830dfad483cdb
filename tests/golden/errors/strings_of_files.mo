model Reads
  parameter String line = Modelica.Utilities.Streams.readLine("data.txt", 2);
  Real x = 1;
end Reads;
//! expect
// error[F019]: the file `data.txt` is not found
//   ┌─ strings_of_files.mo:2:27
//   │
// 2 │   parameter String line = Modelica.Utilities.Streams.readLine("data.txt", 2);
//   │                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ evaluated at compile time
//
