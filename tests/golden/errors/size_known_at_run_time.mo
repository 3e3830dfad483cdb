function total
  input Integer n;
  output Real y;
protected
  Real a[n];
algorithm
  a := fill(2.0, n);
  y := sum(a);
end total;
model Sized
  Real x = total(integer(10*time) + 1);
end Sized;
//! expect
// error[D004]: the size of a variable is known only at run time
//    ┌─ size_known_at_run_time.mo:5:10
//    │
//  5 │   Real a[n];
//    │          ^ here
//    ·
// 11 │   Real x = total(integer(10*time) + 1);
//    │            --------------------------- called here
//
