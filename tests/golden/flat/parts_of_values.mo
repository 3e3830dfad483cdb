// What is taken of a value is chosen before it is evaluated; records are assigned field by field.
package Parts
  record Cell
    parameter Integer n = 1;
    parameter Real r[n] = fill(1, n);
  end Cell;
  record State
    Real a;
    Real b;
  end State;
  function isAny
    input Boolean b[:];
    output Boolean any = false;
  algorithm
    for i in 1:size(b, 1) loop
      any := any or b[i];
    end for;
  end isAny;
  function twice
    input Real x;
    output Real y = 2*x;
  end twice;
  function state
    input Real t;
    output State s;
  algorithm
    s.a := t;
    s.b := 2*t;
  end state;
  model PartsOfValues
    parameter Integer worn[:] = {2};
    parameter Cell good(n = 2, r = {1, 2});
    parameter Cell bad(n = 3, r = {3, 4, 5});
    parameter Cell cells[2] = {if isAny({k == worn[i] for i in 1:size(worn, 1)}) then bad else good for k in 1:2};
    parameter Real m[:, :] = [1, 2; 3, 4];
    parameter Real angle[:] = twice({1, 2, 3});
    parameter Real parts[:, :] = [m[1:1, 1:1], m[1:1, 2:end]; m[2:end, 1], m[2:end, 2:end]];
    Real q[max([size(angle, 1); size(m, 1)])] = angle*time;
    State s;
    Real x;
  algorithm
    s := state(time);
    s.b := s.b + 1;
    x := s.a + s.b;
  end PartsOfValues;
end Parts;
//! expect
// model Parts.PartsOfValues
//   record Parts.State
//     Real a
//     Real b
//   function Parts.twice
//     input Real x
//     output Real y = 2.0 * x
//   algorithm
//   end Parts.twice
//   function Parts.isAny
//     input Boolean[:] b
//     output Boolean any = false
//   algorithm
//     for i in 1:size(b, 1) loop
//       any := any or b[i]
//     end for
//   end Parts.isAny
//   function Parts.state
//     input Real t
//     output Parts.State s
//   algorithm
//     s.a := t
//     s.b := 2.0 * t
//   end Parts.state
//   parameter Integer[1] worn = {2} /* {2} */ annotation(Evaluate = true)
//   parameter Real[2, 2] m = {{1.0, 2.0}, {3.0, 4.0}} /* {{1.0, 2.0}, {3.0, 4.0}} */
//   parameter Real[3] angle = {Parts.twice({1.0, 2.0, 3.0}[$i1]) for $i1 in 1:3} /* {2.0, 4.0, 6.0} */
//   parameter Real[2, 2] parts = cat(1, cat(2, m[1:1, 1:1], m[1:1, 2:2]), cat(2, promote(m[2:2, 1], 2), m[2:2, 2:2])) /* {{1.0, 2.0}, {3.0, 4.0}} */
//   Real[3] q = angle * time
//   Real x
//   parameter Integer good.n = 2 annotation(Evaluate = true)
//   parameter Real[2] good.r = {1.0, 2.0} /* {1.0, 2.0} */
//   parameter Integer bad.n = 3 annotation(Evaluate = true)
//   parameter Real[3] bad.r = {3.0, 4.0, 5.0} /* {3.0, 4.0, 5.0} */
//   parameter Integer cells[1].n = if Parts.isAny({1 == worn[i] for i in 1:1}) then bad.n else good.n /* 2 */ annotation(Evaluate = true)
//   parameter Real[2] cells[1].r = good.r /* {1.0, 2.0} */
//   parameter Integer cells[2].n = if Parts.isAny({2 == worn[i] for i in 1:1}) then bad.n else good.n /* 3 */ annotation(Evaluate = true)
//   parameter Real[3] cells[2].r = bad.r /* {3.0, 4.0, 5.0} */
//   Real s.a
//   Real s.b
// algorithm
//   s.a := Parts.state(time).a
//   s.b := Parts.state(time).b
//   s.b := s.b + 1.0
//   x := s.a + s.b
// end Parts.PartsOfValues
