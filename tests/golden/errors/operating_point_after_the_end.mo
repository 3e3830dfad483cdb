//! decouple
//! at 5
model Stops
  Real x(start = 1, fixed = true), y(start = 1, fixed = true);
equation
  der(x) = -x;
  der(y) = x - 10*y;
  when time > 2 then
    terminate("done");
  end when;
end Stops;
//! expect
// error[C009]: the run ended before time 5, so there is no operating point
//  = hint: choose an earlier time for `--at`
//
