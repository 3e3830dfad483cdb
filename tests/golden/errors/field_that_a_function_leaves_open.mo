// A function leaves a field of the record that it gives without a value. Nothing uses the field, so the model runs.
record Data
  Real a;
  Real b;
end Data;
function part
  input Real u;
  output Data d;
algorithm
  d.a := 2*u;
end part;
model Open
  parameter Data data = part(3);
  Real x(start = 0, fixed = true);
equation
  der(x) = data.a;
end Open;
//! expect
// warning[F042]: the function that gives `data.b` does not assign it; results show zero, nothing uses it
//    ┌─ field_that_a_function_leaves_open.mo:13:18
//    │
// 13 │   parameter Data data = part(3);
//    │                  ^^^^
//
