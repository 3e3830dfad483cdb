model Relation "Discrete code is evaluated at the event"
  Integer i(start = 2, fixed = true);
  Boolean b = sqrt(i) >= 0;
equation
  when time > 0.5 then
    i = -2;
  end when;
end Relation;
//! expect
