// Defaults of fields that are made of other fields, in declarations and in constructors; parameters among the fields of a variable.
record P
  parameter Real a = 2;
  parameter Real b = 2*a;
  Real c = a + b;
end P;
record Q
  Real z = y + 1;
  Real y = 2*x;
  Real x;
end Q;
model DefaultsFromFields
  P p;
  P q(a = 5);
  P r = P(1);
  P s = P(c = 3*time);
  Q t(x = time);
  Q u = Q(x = 4*time);
end DefaultsFromFields;
//! expect
// system DefaultsFromFields
//   v0: Real time time
//   v1: Real parameter p.a, value 2
//   v2: Real parameter p.b, value 2*p.a
//   v3: Real continuous p.c
//   v4: Real parameter q.a, value 5
//   v5: Real parameter q.b, value 2*q.a
//   v6: Real continuous q.c
//   v7: Real parameter r.a, value 1
//   v8: Real parameter r.b, value 2
//   v9: Real continuous r.c
//   v10: Real parameter s.a, value 2
//   v11: Real parameter s.b, value 4
//   v12: Real continuous s.c
//   v13: Real continuous t.z
//   v14: Real continuous t.y
//   v15: Real continuous t.x
//   v16: Real continuous u.z
//   v17: Real continuous u.y
//   v18: Real continuous u.x
// equations
//   e0: p.c = p.a + p.b
//   e1: q.c = q.a + q.b
//   e2: r.c = 3
//   e3: s.c = 3*time
//   e4: t.z = t.y + 1
//   e5: t.y = 2*t.x
//   e6: t.x = time
//   e7: u.z = 2*(4*time) + 1
//   e8: u.y = 2*(4*time)
//   e9: u.x = 4*time
