//! decouple cut=2
model Oscillator
  Real x(start = 1, fixed = true), v(start = 0, fixed = true), T(start = 1, fixed = true);
equation
  der(x) = v;
  der(v) = -100*x;
  der(T) = -1000*T + x;
end Oscillator;
//! expect
// error[C003]: `cut=2` is inside a tie: x and v have the same bound
//  = both bounds are 0.07071067811865474, and no other state is slower; states of one time scale are not separated
//  = hint: possible cuts: 1
//
