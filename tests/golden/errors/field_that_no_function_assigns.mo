package Fields
  record R
    Real a;
    Real b;
  end R;
  function f
    input Real x;
    output R r;
  algorithm
    r.a := x;
  end f;
  model Part
    final parameter R r = f(2);
    Real y = r.a*time + r.b;
  end Part;
  model FieldThatNoFunctionAssigns
    Part part;
  end FieldThatNoFunctionAssigns;
end Fields;
//! expect
// error[F019]: the function that gives `part.r.b` does not assign it
//   ┌─ field_that_no_function_assigns.mo:4:10
//   │
// 4 │     Real b;
//   │          ^ has no value
//   │
//   = in part.r : Fields.R
//
