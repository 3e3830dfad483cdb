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
