model Long
  Real x[2], y[2];
equation
  y = {1, 2};
  x =
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
    y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y;
end Long;
//! expect
// error[F028]: 1019 operators in one expression that mixes them or works on arrays
//    ┌─ expression_too_long.mo:6:5
//    │
//  6 │ ╭     y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
//  7 │ │     y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
//  8 │ │     y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
//  9 │ │     y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
//    · │
// 55 │ │     y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y +
// 56 │ │     y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y + y;
//    │ ╰─────────────────────────────────────────────────────────────────────────────────^
//    │
//    = hint: split the expression with auxiliary variables
//
