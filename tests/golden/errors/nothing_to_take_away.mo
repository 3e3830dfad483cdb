package Selective
  model Part
    Real x = time;
  end Part;
  model Base
    Part a;
  end Base;
  model NothingToTakeAway
    extends Base(break b);
  end NothingToTakeAway;
end Selective;
//! expect
// error[M001]: `Selective.Base` has no component `b` to take away
//   ┌─ nothing_to_take_away.mo:9:18
//   │
// 9 │     extends Base(break b);
//   │                  ^^^^^^^
//
