model Dense "more terms than a text of this size may ask for"
  Real x[5000];
equation
  for i in 1:5000 loop
    x[i] = sum(sin(i*j*time) for j in 1:5000);
  end for;
end Dense;
//! expect
// error[D020]: making its equations scalar takes more than 30179000 operations
//   ┌─ too_many_operations.mo:4:3
//   │
// 4 │ ╭   for i in 1:5000 loop
// 5 │ │     x[i] = sum(sin(i*j*time) for j in 1:5000);
// 6 │ │   end for;
//   │ ╰─────────^ the limit is reached here
//   │
//   = hint: `--limit operations=301790000` allows ten times as much
//
