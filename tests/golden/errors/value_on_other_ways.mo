// A field that a function assigns on one way has no value on the others; that is a failure where it is read.
record R
  Real a;
  Real b;
end R;

function filled
  input Real x;
  output R r;
algorithm
  r.b := 1;
  if x > 0.5 then
    r.a := 2;
  end if;
end filled;

function read
  input Real x;
  output Real y;
protected
  R r;
algorithm
  r := filled(x);
  y := if x > 0.25 then r.a else r.b;
end read;

model ValueOnOtherWays
  Real w;
equation
  w = read(time);
end ValueOnOtherWays;
//! expect
// error[R104]: an assertion of the model failed: r.a has no value here: it is assigned on other ways through the function only at time 0.25
//    ┌─ value_on_other_ways.mo:24:25
//    │
// 24 │   y := if x > 0.25 then r.a else r.b;
//    │                         ^^^
//
