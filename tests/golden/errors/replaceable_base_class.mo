// A base class must be the one that is written: it is not replaceable.
package Bases
  model Simple
    Real x = time;
  end Simple;

  model All
    replaceable model Part = Simple;
    extends Part;
  end All;
end Bases;
//! expect
// error[N003]: the base class `Part` is replaceable
//   ┌─ replaceable_base_class.mo:9:13
//   │
// 9 │     extends Part;
//   │             ^^^^
//   │
//   = hint: extend a class that cannot be redeclared, or redeclare it with `class extends`
//
