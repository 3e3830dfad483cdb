model TooMany
  Real x;
equation
  x = time;
  x = 2*time;
end TooMany;
//! expect
// error[S002]: the model has more equations than unknowns
//   ┌─ too_many_equations.mo:5:3
//   │
// 4 │   x = time;
//   │   -------- determines x
// 5 │   x = 2*time;
//   │   ^^^^^^^^^^ other equations determine all unknowns of this one
//   │
//   = with what the others say it reads time = 2*time
//
