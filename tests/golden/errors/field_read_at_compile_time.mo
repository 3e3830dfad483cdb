record Data
  Real a;
  Real c;
end Data;
function part
  input Real u;
  output Data d;
algorithm
  d.a := 2*u;
  if u < 0 then
    d.c := u;
  end if;
end part;
model Part
  parameter Real fine = part(1).a + part(-1).c;
  parameter Real p = part(1).c;
end Part;
//! expect
// error[F019]: the function that gives `p` does not assign it
//    ┌─ field_read_at_compile_time.mo:16:30
//    │
// 16 │   parameter Real p = part(1).c;
//    │                              ^ has no value
//
