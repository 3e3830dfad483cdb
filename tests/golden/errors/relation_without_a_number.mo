model Relation "A relation that makes no events compares what is not a number from 0.5 on"
  Real x(start = 0.5, fixed = true), y;
equation
  der(x) = -1;
  y = if noEvent(sqrt(x) > 0.1) then 1 else 2;
end Relation;
//! expect
