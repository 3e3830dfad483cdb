// One modification that says two things about one element.
package Twice
  model Part
    parameter Real k = 1;
    Real x(start = 0, fixed = true);
  equation
    der(x) = k;
  end Part;

  model All
    Part part(k = 2, x(start = 1), x.start = 3);
  end All;
end Twice;
//! expect
// error[M004]: `x.start` is modified twice
//    ┌─ modified_twice.mo:11:36
//    │
// 11 │     Part part(k = 2, x(start = 1), x.start = 3);
//    │                                    ^^^^^^^^^^^
//
