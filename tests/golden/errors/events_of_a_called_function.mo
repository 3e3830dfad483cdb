// A loop that ends at run time makes a function one that is called, and events are made of what is inlined only.
function f
  input Real x;
  output Real y;
protected
  Real rest = x;
algorithm
  while rest > 1 loop
    rest := rest/2;
  end while;
  y := if x > 0.5 then rest else 0;
  annotation(GenerateEvents = true);
end f;

model EventsOfACalledFunction
  Real x(start = 0, fixed = true);
equation
  der(x) = f(time);
end EventsOfACalledFunction;
//! expect
// warning[D009]: function f makes no events, because it is called, not inlined
//    ┌─ events_of_a_called_function.mo:2:10
//    │
//  2 │ function f
//    │          ^ annotation(GenerateEvents = true) has no effect
//    ·
// 18 │   der(x) = f(time);
//    │            ------- called here
//
