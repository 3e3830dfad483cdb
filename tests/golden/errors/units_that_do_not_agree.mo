model Units
  Real v(unit = "m/s", start = 1, fixed = true);
  Real m(unit = "kg");
  Real a(unit = "m/s2");
  Real f(unit = "N") = m*a;
  Real named, wrong(unit = "W");
  parameter Real k(unit = "1") = 3;
  parameter Real area(unit = "m2") = 4;
equation
  der(v) = a;
  a = -9.81;
  m = v + 2;
  named = f;
  wrong = named;
  assert(sqrt(area) < 3*v*time, "a length");
  assert(k*f + 2*m > area, "a gain may have any unit");
//! units
end Units;
//! expect
// error[F039]: the units kg and m/s do not agree
//    ┌─ units_that_do_not_agree.mo:12:3
//    │
// 12 │   m = v + 2;
//    │   ^^^^^^^^^
//    │   │   │
//    │   │   has the unit m/s
//    │   has the unit kg
//
//
// error[F039]: the units W and kg.m/s2 do not agree
//    ┌─ units_that_do_not_agree.mo:14:3
//    │
// 13 │   named = f;
//    │   --------- gives `named` its unit
// 14 │   wrong = named;
//    │   ^^^^^^^^^^^^^
//    │   │       │
//    │   │       has the unit kg.m/s2
//    │   has the unit W
//
//
// error[F039]: the units kg and m2 do not agree
//    ┌─ units_that_do_not_agree.mo:16:10
//    │
// 16 │   assert(k*f + 2*m > area, "a gain may have any unit");
//    │          ^^^^^^^^^^^^^^^^
//    │          │           │
//    │          │           has the unit m2
//    │          has the unit kg
//
