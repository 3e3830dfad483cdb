// One name that two base classes declare in different ways.
package Bases
  model Slow
    parameter Real tau = 10;
  end Slow;

  model Fast
    parameter Real tau = 0.1;
  end Fast;

  model Both
    extends Slow;
    extends Fast;
  end Both;
end Bases;
//! expect
// error[N010]: `tau` is declared in another way by `Bases.Slow`, which is a part of the same class
//   ┌─ inherited_in_two_ways.mo:8:20
//   │
// 8 │     parameter Real tau = 0.1;
//   │                    ^^^
//
