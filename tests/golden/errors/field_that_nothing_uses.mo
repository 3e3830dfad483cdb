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
    Real y = r.a*time;
  end Part;
  model FieldThatNothingUses
    Part part;
  end FieldThatNothingUses;
end Fields;
//! expect
// warning[F042]: the function that gives `part.r.b` does not assign it; results show zero, nothing uses it
//   ┌─ field_that_nothing_uses.mo:4:10
//   │
// 4 │     Real b;
//   │          ^
//   │
//   = in part.r : Fields.R
//
