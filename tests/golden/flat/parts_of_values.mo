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
