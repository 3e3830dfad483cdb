// Fields of fields are assigned one by one; defaults of fields hold until they are.
record Inner
  Real x;
  Real v[2];
end Inner;
record Outer
  Inner one;
  Inner two[2];
  Real c = 3;
end Outer;
function make
  input Real u;
  output Outer o;
algorithm
  o.one.x := u;
  o.one.v := {1, 2}*u;
  o.two[1] := o.one;
  o.two[2] := Inner(4, zeros(2));
  o.two[2].v[1] := 5*u;
end make;
model NestedRecord
  Real y;
  Real z;
equation
  y = make(time).two[1].v[2] + make(time).two[2].v[1];
  z = make(time).c*make(time).one.x;
end NestedRecord;
//! expect
// system NestedRecord
//   v0: Real time time
//   v1: Real continuous y
//   v2: Real continuous z
// equations
//   e0: y = 2*time + 5*time
//   e1: z = 3*time
