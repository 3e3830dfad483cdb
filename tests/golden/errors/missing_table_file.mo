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
model Lookup
  Table table = Table("a", "no_such_file.txt", {{0, 0}}, {2}, 1, 1, false);
  Real y = value(table, 1, time);
end Lookup;
//! expect
// error[R108]: the external object table cannot be made
//  = the file `no_such_file.txt` is not found
//
