// A record of scalarised fields is the target of an assignment.
function R "Automatically generated record constructor for R"
  input Real x;
  input Real y;
  output R res;
end R;
class RecordInAlgorithm
  Real r.x;
  Real r.y;
algorithm
  r := R(time, 2.0 * time);
  r.y := r.y + 1.0;
end RecordInAlgorithm;
//! expect
// system RecordInAlgorithm
//   v0: Real time time
//   v1: Real continuous r.x
//   v2: Real continuous r.y
// equations
//   e0: r.x = time
//   e1: r.y = 2*time + 1
