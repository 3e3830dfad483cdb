model StreamOfNoConnector
  connector Port
    Real p;
    flow Real m;
    stream Real h;
  end Port;
  Port port;
  Real x;
equation
  x = inStream(port.p);
  port.h = 1;
end StreamOfNoConnector;
//! expect
// error[K004]: `inStream` needs a stream variable of a connector
//    ┌─ stream_of_no_connector.mo:10:7
//    │
// 10 │   x = inStream(port.p);
//    │       ^^^^^^^^^^^^^^^^
//
