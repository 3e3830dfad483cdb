class Table
  extends ExternalObject;
  function constructor
    input String tableName;
    input String fileName;
    input Real table[:, :];
    input Integer columns[:];
    input Integer smoothness;
    input Integer extrapolation;
    input Boolean verbose;
    output Table object;
    external "C" object = ModelicaStandardTables_CombiTable1D_init2(fileName, tableName, table, size(table, 1), size(table, 2), columns, size(columns, 1), smoothness, extrapolation, verbose);
  end constructor;
  function destructor
    input Table object;
    external "C" ModelicaStandardTables_CombiTable1D_close(object);
  end destructor;
end Table;
function value
  input Table object;
  input Integer column;
  input Real u;
  output Real y;
  external "C" y = ModelicaStandardTables_CombiTable1D_getValue(object, column, u);
end value;
model Lookup "its table is found below a directory that is given"
  Table table = Table("a", "modelica://Some/Resources/square.txt", {{0, 0}}, {2}, 1, 1, false);
  Real y = value(table, 1, time);
  annotation(experiment(StopTime = 1, Interval = 0.5));
end Lookup;
//! file data/Resources/square.txt #1|double a(2,2)|0 0|1 3|
//! command run MODEL -o without.csv
//! command run MODEL --resource-path nowhere -o nowhere.csv
//! command run MODEL --resource-path data -o found.csv
//! expect
// exit code 1
// error[R108]: the external object table cannot be made
//  = the file `modelica://Some/Resources/square.txt` is not found
//
//
// exit code 2
// error: --resource-path nowhere: there is no such directory
// exit code 0
// files: data found.csv
