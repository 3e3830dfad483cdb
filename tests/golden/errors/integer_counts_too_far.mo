model Counts
  Integer k(start = 9007199254740990, fixed = true);
equation
  when sample(0.1, 0.1) then
    k = pre(k) + 1;
  end when;
end Counts;
//! expect
// error[R102]: the Integer k is too large: 9007199254740992 at time 0.2
//   ┌─ integer_counts_too_far.mo:5:5
//   │
// 5 │     k = pre(k) + 1;
//   │     ^^^^^^^^^^^^^^ Integers are exact up to 9007199254740991
//
