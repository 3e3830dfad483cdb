package Unsupported
  record State
    Real a;
    Real b;
  end State;
  function next
    input State s;
    output State t = State(s.b, s.a);
  algorithm
  end next;
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Part
    Pin pin;
    State s;
  algorithm
    s := State(time, pin.v);
    s := next(s);
  end Part;
  model NotSupported
    Part part;
  equation
    part.pin.v = 1;
  end NotSupported;
end Unsupported;
//! expect
// error[N006]: not supported yet: assignment to an array of components, or to a record from itself
//    ┌─ not_supported.mo:15:3
//    │
// 15 │   model Part
//    │   ^ used here
//    │
//    = in part : Unsupported.Part
//    = hint: OpenModelica 1.24 or newer exports the model so that Partita can read it; see `partita run --help`
//
