// Texts of variables are put where the variables are used.
function label
  input Integer n;
  output String s;
algorithm
  s := "n = " + String(n);
  if n > 2 then
    s := s + "!";
  end if;
end label;
model TextEquations
  String first;
  String second;
  Real x;
equation
  second = "x is too large: " + first;
  first = label(3);
  x = time;
  assert(x < 2, second);
end TextEquations;
//! expect
// system TextEquations
//   v0: Real time time
//   v1: Real continuous x
//   v2: Boolean continuous $action1
// equations
//   e0: x = time
//   e1: $action1 = not x < 2
