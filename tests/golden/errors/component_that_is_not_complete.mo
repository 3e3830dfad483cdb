// A component of a partial class, and one of a package.
package Open
  partial model Port
    Real p;
  end Port;

  package Numbers
    constant Real one = 1;
  end Numbers;

  model All
    Port port;
    Numbers numbers;
  end All;
end Open;
//! expect
// error[N003]: `Open.Port` is partial, so `port` cannot be a component of it
//    ┌─ component_that_is_not_complete.mo:12:10
//    │
// 12 │     Port port;
//    │          ^^^^
//    │
//    = hint: redeclare it as a class that is complete
//
//
// error[N003]: `Open.Numbers` is a package, so `numbers` cannot be a component of it
//    ┌─ component_that_is_not_complete.mo:13:13
//    │
// 13 │     Numbers numbers;
//    │             ^^^^^^^
//
