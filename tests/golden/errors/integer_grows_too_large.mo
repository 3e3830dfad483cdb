model Grows
  Integer k(start = 1, fixed = true);
equation
  when sample(0.1, 0.01) then
    k = pre(k)*7;
  end when;
end Grows;
//! expect
// error[R104]: an assertion of the model failed: the Integer 7*pre(k) is too large: 11398895185373144 (Integers are exact up to 9007199254740991) at time 0.28
//   ┌─ integer_grows_too_large.mo:5:9
//   │
// 5 │     k = pre(k)*7;
//   │         ^^^^^^^^
//
