connector Pin
  Real v;
  flow Real i;
end Pin;
model Part
  Pin pin;
  Real x = time;
end Part;
model Smaller
  extends Part(break x);
end Smaller;
model NotSupported
  Smaller part;
equation
  part.pin.v = 1;
end NotSupported;
//! expect
// error[N006]: not supported yet: `break` in an extends clause
//    ┌─ not_supported.mo:10:16
//    │
// 10 │   extends Part(break x);
//    │                ^^^^^^^ used here
//    │
//    = hint: OpenModelica 1.24 or newer exports the model so that Partita can read it; see `partita run --help`
//
