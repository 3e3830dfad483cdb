// What the rules do not reach stays with Newton's method: two different functions of the unknown, two unknowns; a polynomial of degree five is asked where
// Newton's method fails; what tearing assigns is written out.
model Limits
  Real mixed(start = 1), x(start = 1), y(start = 2), fifth(start = 1), torn(start = 1), through;
equation
  exp(mixed) + mixed = 2 + time;
  x^2*y + y^3*x + x = 2 + time;
  x*exp(y) + x^2*y^2 = 3;
  fifth^5 + fifth^2 + fifth = 3 + time;
  through = 3*torn + time;
  through*torn = 5;
end Limits;
//! expect
// start
//   mixed: by Newton's method
//   x, y: by Newton's method
//   fifth: in closed form where Newton's method fails
//     0 = (-(time + 3)) + (1)*fifth + (1)*fifth^2 + (1)*fifth^5
//   torn: in closed form
//     0 = (-5) + (time)*torn + (3)*torn^2
// simulation
//   mixed: by Newton's method
//   x, y: by Newton's method
//   fifth: in closed form where Newton's method fails
//     0 = (-(time + 3)) + (1)*fifth + (1)*fifth^2 + (1)*fifth^5
//   torn: in closed form
//     0 = (-5) + (time)*torn + (3)*torn^2
