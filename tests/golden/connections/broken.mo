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
// potential: a.p.v, b.n.v
// flow: a.p.i, b.n.i
// potential: b.p.v, a.n.v
// flow: b.p.i, a.n.i
// potential: a.p.reference.angle, b.n.reference.angle
