package Buses
  expandable connector Bus
  end Bus;
  model Part
    Bus bus;
  end Part;
  model ExpandableConnector
    Part part;
    Real x = time;
  end ExpandableConnector;
end Buses;
//! expect
// error[N006]: not supported yet: expandable connectors
//   ┌─ expandable_connector.mo:5:9
//   │
// 5 │     Bus bus;
//   │         ^^^ used here
//   │
//   = in part : Buses.Part
//   = hint: OpenModelica 1.24 or newer exports the model so that Partita can read it; see `partita run --help`
//
