// A ring of angles: the last connection of the circle is broken, the source is the root.
package Ring
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
  model Source
    Pin p, n;
  equation
    Connections.branch(p.reference, n.reference);
    Connections.potentialRoot(p.reference);
    if Connections.isRoot(p.reference) then
      p.reference.angle = time;
    end if;
    n.reference.angle = p.reference.angle;
    p.v = 1 + n.v;
    p.i + n.i = 0;
  end Source;
  model Ring
    Source a, b;
  equation
    connect(a.p, b.n);
    connect(b.p, a.n);
  end Ring;
end Ring;
//! expect
// model Ring.Ring
//   type AssertionLevel = enumeration(warning, error)
//   record Ring.Reference
//     Real angle
//   function Ring.Reference.equalityConstraint
//     input Ring.Reference a
//     input Ring.Reference b
//     output Real[0] residue
//   algorithm
//     assert(abs(a.angle - b.angle) < 1e-10, "angles must agree", AssertionLevel.error)
//   end Ring.Reference.equalityConstraint
//   Real a.p.v
//   Real a.p.i
//   Real a.p.reference.angle
//   Real a.n.v
//   Real a.n.i
//   Real a.n.reference.angle
//   Real b.p.v
//   Real b.p.i
//   Real b.p.reference.angle
//   Real b.n.v
//   Real b.n.i
//   Real b.n.reference.angle
// equation
//   {} = Ring.Reference.equalityConstraint(Ring.Reference(b.p.reference.angle), Ring.Reference(a.n.reference.angle))
//   a.p.reference.angle = time
//   a.n.reference.angle = a.p.reference.angle
//   a.p.v = 1.0 + a.n.v
//   a.p.i + a.n.i = 0.0
//   b.n.reference.angle = b.p.reference.angle
//   b.p.v = 1.0 + b.n.v
//   b.p.i + b.n.i = 0.0
//   a.p.v = b.n.v
//   a.p.i + b.n.i = 0.0
//   b.p.v = a.n.v
//   b.p.i + a.n.i = 0.0
//   a.p.reference.angle = b.n.reference.angle
// end Ring.Ring
