record Data
  Real a;
  Real b = 3;
  Real c;
  Integer n;
end Data;
function part
  input Real u;
  output Data d;
algorithm
  d.a := 2*u;
end part;
function halved
  input Real u;
  output Data d;
algorithm
  d.a := u;
  while d.a > 1 loop
    d.a := d.a/2;
  end while;
end halved;
function decides
  input Real u;
  output Real y;
protected
  Data d;
algorithm
  d := halved(u);
  y := d.a;
  while y > 1 loop
    y := y/2;
  end while;
  if d.c > 0 then
    y := 0;
  end if;
end decides;
model Part
  Data unread = part(time);
  Data read = part(2*time);
  Real fine = part(time).a + halved(time).b + unread.a;
  Real missing = part(time).c + 1;
  Real indirect = read.a + read.c;
  Real decided = decides(time);
end Part;
//! expect
// error[D010]: d.c has no value
//    ┌─ field_without_value.mo:33:6
//    │
// 33 │   if d.c > 0 then
//    │      ^^^ read here, but never assigned
//    ·
// 43 │   Real decided = decides(time);
//    │                  ------------- called here
//
//
// error[D010]: part(...).c has no value
//    ┌─ field_without_value.mo:41:29
//    │
// 41 │   Real missing = part(time).c + 1;
//    │        ---------------------^----
//    │        │                    │
//    │        │                    read here, but never assigned
//    │        this needs it
//
//
// error[D010]: what read.c is set to has no value
//    ┌─ field_without_value.mo:39:15
//    │
// 39 │   Data read = part(2*time);
//    │               ^^^^^^^^^^^^ read here, but never assigned
//
