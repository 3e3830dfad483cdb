package Angles
  record Reference
    Real angle;
    function equalityConstraint
      input Reference a;
      input Reference b;
      output Real residue[0];
    algorithm
      assert(abs(a.angle - b.angle) < 1e-10, "angles must agree");
    end equalityConstraint;
  end Reference;
  connector Pin
    Reference reference;
    Real v;
    flow Real i;
  end Pin;
  model Line
    Pin a, b;
  equation
    Connections.branch(a.reference, b.reference);
    Connections.root(a.reference);
    Connections.root(b.reference);
    a.reference.angle = time;
    b.reference.angle = time;
    a.i + b.i = 0;
    a.v = b.v;
  end Line;
  model TwoRoots
    Line line;
  end TwoRoots;
end Angles;
//! expect
// error[K003]: this is the second root of one tree
//    ┌─ two_roots.mo:22:5
//    │
// 22 │     Connections.root(b.reference);
//    │     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    │
//    = in line : Angles.Line
//
