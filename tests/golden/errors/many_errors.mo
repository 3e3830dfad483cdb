model Many
  Real x;
equation
  x = unknown1;
  x = unknown2;
  x = unknown3;
  x = unknown4;
  x = unknown5;
  x = unknown6;
  x = unknown7;
  x = unknown8;
  x = unknown9;
  x = unknown10;
  x = unknown11;
  x = unknown12;
  x = unknown13;
  x = unknown14;
  x = unknown15;
  x = unknown16;
  x = unknown17;
  x = unknown18;
  x = unknown19;
  x = unknown20;
  x = unknown21;
  x = unknown22;
  x = unknown23;
  x = unknown24;
  x = unknown25;
  x = unknown26;
  x = unknown27;
  x = unknown28;
  x = unknown29;
  x = unknown30;
end Many;
//! expect
// error[F003]: unknown variable `unknown1`
//   ┌─ many_errors.mo:4:7
//   │
// 4 │   x = unknown1;
//   │       ^^^^^^^^ not declared
//
//
// error[F003]: unknown variable `unknown2`
//   ┌─ many_errors.mo:5:7
//   │
// 5 │   x = unknown2;
//   │       ^^^^^^^^ not declared
//
//
// error[F003]: unknown variable `unknown3`
//   ┌─ many_errors.mo:6:7
//   │
// 6 │   x = unknown3;
//   │       ^^^^^^^^ not declared
//
//
// error[F003]: unknown variable `unknown4`
//   ┌─ many_errors.mo:7:7
//   │
// 7 │   x = unknown4;
//   │       ^^^^^^^^ not declared
//
//
// error[F003]: unknown variable `unknown5`
//   ┌─ many_errors.mo:8:7
//   │
// 8 │   x = unknown5;
//   │       ^^^^^^^^ not declared
//
//
// error[F003]: unknown variable `unknown6`
//   ┌─ many_errors.mo:9:7
//   │
// 9 │   x = unknown6;
//   │       ^^^^^^^^ not declared
//
//
// error[F003]: unknown variable `unknown7`
//    ┌─ many_errors.mo:10:7
//    │
// 10 │   x = unknown7;
//    │       ^^^^^^^^ not declared
//
//
// error[F003]: unknown variable `unknown8`
//    ┌─ many_errors.mo:11:7
//    │
// 11 │   x = unknown8;
//    │       ^^^^^^^^ not declared
//
//
// error[F003]: unknown variable `unknown9`
//    ┌─ many_errors.mo:12:7
//    │
// 12 │   x = unknown9;
//    │       ^^^^^^^^ not declared
//
//
// error[F003]: unknown variable `unknown10`
//    ┌─ many_errors.mo:13:7
//    │
// 13 │   x = unknown10;
//    │       ^^^^^^^^^ not declared
//
//
// error[F003]: unknown variable `unknown11`
//    ┌─ many_errors.mo:14:7
//    │
// 14 │   x = unknown11;
//    │       ^^^^^^^^^ not declared
//
//
// error[F003]: unknown variable `unknown12`
//    ┌─ many_errors.mo:15:7
//    │
// 15 │   x = unknown12;
//    │       ^^^^^^^^^ not declared
//
//
// error[F003]: unknown variable `unknown13`
//    ┌─ many_errors.mo:16:7
//    │
// 16 │   x = unknown13;
//    │       ^^^^^^^^^ not declared
//
//
// error[F003]: unknown variable `unknown14`
//    ┌─ many_errors.mo:17:7
//    │
// 17 │   x = unknown14;
//    │       ^^^^^^^^^ not declared
//
//
// error[F003]: unknown variable `unknown15`
//    ┌─ many_errors.mo:18:7
//    │
// 18 │   x = unknown15;
//    │       ^^^^^^^^^ not declared
//
//
// error[F003]: unknown variable `unknown16`
//    ┌─ many_errors.mo:19:7
//    │
// 19 │   x = unknown16;
//    │       ^^^^^^^^^ not declared
//
//
// error[F003]: unknown variable `unknown17`
//    ┌─ many_errors.mo:20:7
//    │
// 20 │   x = unknown17;
//    │       ^^^^^^^^^ not declared
//
//
// error[F003]: unknown variable `unknown18`
//    ┌─ many_errors.mo:21:7
//    │
// 21 │   x = unknown18;
//    │       ^^^^^^^^^ not declared
//
//
// error[F003]: unknown variable `unknown19`
//    ┌─ many_errors.mo:22:7
//    │
// 22 │   x = unknown19;
//    │       ^^^^^^^^^ not declared
//
//
// error[F003]: unknown variable `unknown20`
//    ┌─ many_errors.mo:23:7
//    │
// 23 │   x = unknown20;
//    │       ^^^^^^^^^ not declared
//
//
// note[F027]: 10 further errors are not shown
//
