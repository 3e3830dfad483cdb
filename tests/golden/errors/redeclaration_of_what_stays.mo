// A component and a class without `replaceable` stay what they are.
package Fixed
  type Angle = Real(unit = "rad");

  model Part
    model Inner
      Real y = 1;
    end Inner;
    parameter Angle phi = 0;
    Inner inside;
  end Part;

  model Other
    Real y = 2;
  end Other;

  model All
    Part one(redeclare parameter Real phi = 1);
    Part two(redeclare model Inner = Other);
  end All;
end Fixed;
//! expect
// error[M003]: `phi` is not replaceable, so its type stays as it is
//    ┌─ redeclaration_of_what_stays.mo:18:39
//    │
// 18 │     Part one(redeclare parameter Real phi = 1);
//    │                                       ^^^^^^^
//    │
//    = hint: declare `phi` with `replaceable`
//
//
// error[M003]: the class `Inner` is not replaceable
//    ┌─ redeclaration_of_what_stays.mo:19:14
//    │
// 19 │     Part two(redeclare model Inner = Other);
//    │              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    │
//    = hint: declare `Inner` with `replaceable`
//
