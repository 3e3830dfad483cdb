record Data
  Real a;
  Real b = 3;
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
function none
  input Real u;
  output Data d;
algorithm
  d.a := u;
end none;
model Part
  parameter Real p = part(1).c;
  Real x = none(time).a + none(time).b;
end Part;
//! expect
// warning[F032]: fields of the output `d` of `part` are not assigned and taken as zero
//    ┌─ record_filled_in_part.mo:22:30
//    │
// 22 │   parameter Real p = part(1).c;
//    │                              ^ evaluated at compile time
//
//
// warning[D010]: fields of the output d of part are not assigned and taken as zero
//    ┌─ record_filled_in_part.mo:8:15
//    │
//  8 │   output Data d;
//    │               ^ declared here
//    ·
// 22 │   parameter Real p = part(1).c;
//    │                      ------- called here
//
//
// warning[D010]: fields of the output d of none are not assigned and taken as zero
//    ┌─ record_filled_in_part.mo:17:15
//    │
// 17 │   output Data d;
//    │               ^ declared here
//    ·
// 23 │   Real x = none(time).a + none(time).b;
//    │            ---------- called here
//
