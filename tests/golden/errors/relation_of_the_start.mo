model Relation
  parameter Real p = -2;
  Real x;
initial equation
  x = if sqrt(p) > 0 then 1 else 2;
equation
  der(x) = 1;
end Relation;
//! expect
