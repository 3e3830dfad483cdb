connector Pin
  Real v;
  flow Real i;
end Pin;
connector Plug
  Real v;
  flow Real j;
end Plug;
model ConnectorsDiffer
  Pin a;
  Plug b;
equation
  connect(a, b);
end ConnectorsDiffer;
//! expect
// error[K002]: only one of the connectors has `i`
//    ┌─ connectors_differ.mo:13:3
//    │
// 13 │   connect(a, b);
//    │   ^^^^^^^^^^^^^
//
