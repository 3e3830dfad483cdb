model Nested
  Real x(start = 0, fixed = true);
  discrete Real y(start = 0, fixed = true);
equation
  der(x) = 1;
  when x > 0.5 then
    when x > 0.6 then
      y = 1;
    end when;
  end when;
end Nested;
//! expect
// error[F025]: `when` stands inside `when`
//   ┌─ when_inside_when.mo:7:5
//   │
// 7 │ ╭     when x > 0.6 then
// 8 │ │       y = 1;
// 9 │ │     end when;
//   │ ╰────────────^
//
