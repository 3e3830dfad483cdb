// Parts of an array whose elements are declared one by one, some subscripts known, others compared: a memory as an exporter of
// scalars leaves it.
model PartByNumber
  Integer 'm[1,1]'(start = 0, fixed = true);
  Integer 'm[1,2]'(start = 0, fixed = true);
  Integer 'm[2,1]'(start = 0, fixed = true);
  Integer 'm[2,2]'(start = 0, fixed = true);
  Integer n(start = 1, fixed = true);
algorithm
  when time > 0.5 then
    n := 2;
    'm'[n, 1:2] := {7, 8};
    'm'[{2, 1}, n] := {5, 6};
  end when;
end PartByNumber;
//! expect
// system PartByNumber
//   v0: Real time time
//   v1: Integer discrete m[1,1], start 0, fixed true
//   v2: Integer discrete m[1,2], start 0, fixed true
//   v3: Integer discrete m[2,1], start 0, fixed true
//   v4: Integer discrete m[2,2], start 0, fixed true
//   v5: Integer discrete n, start 1, fixed true
//   v6: Integer pre pre(n)
//   v7: Integer pre pre(m[1,1])
//   v8: Integer pre pre(m[1,2])
//   v9: Integer pre pre(m[2,1])
//   v10: Integer pre pre(m[2,2])
//   v11: Boolean relation $relation1
//   v12: Boolean pre pre($relation1)
//   v13: Boolean discrete $when2
//   $relation1 when time > 0.5
// equations
//   e0: discrete n = if $when2 then 2 else pre(n)
//   e1: discrete m[1,1] = if $when2 and (if $when2 then 2 else pre(n)) == 1 then 6 else pre(m[1,1])
//   e2: discrete m[1,2] = if $when2 and (if $when2 then 2 else pre(n)) <> 1 and (if $when2 then 2 else pre(n)) == 2 then 6 elseif $when2 and (if $when2 then 2 else pre(n)) == 1 then 8 else pre(m[1,2])
//   e3: discrete m[2,1] = if $when2 and (if $when2 then 2 else pre(n)) == 1 then 5 elseif $when2 and (if $when2 then 2 else pre(n)) <> 1 and (if $when2 then 2 else pre(n)) == 2 then 7 else pre(m[2,1])
//   e4: discrete m[2,2] = if $when2 and (if $when2 then 2 else pre(n)) <> 1 and (if $when2 then 2 else pre(n)) == 2 then 5 else pre(m[2,2])
//   e5: activation: $when2 = $relation1 and not pre($relation1)
