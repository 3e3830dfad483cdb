function forgets
  input Real u;
  output Real y;
  output Real z;
algorithm
  y := u;
end forgets;
model Forgets
  Real a, b;
equation
  (a, b) = forgets(time);
end Forgets;
//! expect
// error[D007]: output z of forgets is not assigned
//    ┌─ output_not_assigned.mo:4:15
//    │
//  4 │   output Real z;
//    │               ^ declared here
//    ·
// 11 │   (a, b) = forgets(time);
//    │            ------------- called here
//
