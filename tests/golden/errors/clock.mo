model Clocked
  Real x;
equation
  when Clock(0.1) then
    x = previous(x) + 1;
  end when;
end Clocked;
//! expect
// error[F009]: `when Clock()`: clocks are not supported
//   ┌─ clock.mo:4:8
//   │
// 4 │   when Clock(0.1) then
//   │        ^^^^^^^^^^
//
//
// error[F009]: `previous`: clocks and state machines are not supported
//   ┌─ clock.mo:5:9
//   │
// 5 │     x = previous(x) + 1;
//   │         ^^^^^^^^ a clocked operator
//
