model Wide
  parameter Integer n = 9007199254740993;
  Integer k(start = 0, fixed = true);
equation
  when time > 0.5 then
    k = n;
  end when;
end Wide;
//! expect
