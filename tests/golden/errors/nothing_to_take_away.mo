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
