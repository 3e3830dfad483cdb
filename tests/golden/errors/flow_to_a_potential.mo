// A flow is connected to a potential, a Real to an Integer.
package Ends
  connector Pin
    Real v;
    flow Real i;
  end Pin;

  connector Wrong
    flow Real v;
    Real i;
  end Wrong;

  connector Number = Real;
  connector Count = Integer;

  model Part
    Pin a;
    Wrong b;
  end Part;

  model All
    Part one, two;
    Number x;
    Count n;
  equation
    connect(one.a, two.b);
    connect(x, n);
  end All;
end Ends;
//! expect
// error[K002]: `v` of both connectors are connected, and only one is a flow
//    ┌─ flow_to_a_potential.mo:26:5
//    │
// 26 │     connect(one.a, two.b);
//    │     ^^^^^^^^^^^^^^^^^^^^^
//
//
// error[K002]: `x` and `n` are connected, and have the types Real and Integer
//    ┌─ flow_to_a_potential.mo:27:5
//    │
// 27 │     connect(x, n);
//    │     ^^^^^^^^^^^^^
//
