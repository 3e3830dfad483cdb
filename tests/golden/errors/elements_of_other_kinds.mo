// What a record, a function, a package and a bus may not have is told, all of it.
package Kinds
  record Data
    Real x;
  equation
    x = 1;
  end Data;

  function twice
    input Real u;
    output Real y;
    Real helper;
  algorithm
    helper := u;
    y := 2*helper;
  end twice;

  expandable connector Bus
    flow Real f;
  end Bus;

  model All
    Data data;
    Bus bus;
    Real y = twice(time);
  end All;
end Kinds;
//! expect
// error[N009]: a record has no equations
//   ┌─ elements_of_other_kinds.mo:6:5
//   │
// 6 │     x = 1;
//   │     ^^^^^
//
//
// error[N009]: `f` of an expandable connector is no `flow`
//    ┌─ elements_of_other_kinds.mo:19:15
//    │
// 19 │     flow Real f;
//    │               ^
//
