// Base Modelica: a package with a record, a function and a model with quoted names.
//! base 0.1.0
package 'Small'
  record 'Point'
    Real 'x';
    Real 'y';
  end 'Point';
  function 'norm'
    input 'Point' 'p';
    output Real 'r';
  algorithm
    'r' := sqrt('p'.'x'^2 + 'p'.'y'^2);
  end 'norm';
  model 'Small'
    parameter Real 'body.m' = 2.0;
    'Point' 'body.p';
    Real 'body.r';
  equation
    der('body.p'.'x') = 1.0/'body.m';
    der('body.p'.'y') = time;
    'body.r' = 'norm'('body.p');
    annotation(experiment(StopTime = 2.0));
  end 'Small';
end 'Small';
//! expect
// model Small.Small
//   experiment(StopTime = 2.0)
//   record Small.Point
//     Real x
//     Real y
//   function Small.norm
//     input Small.Point p
//     output Real r
//   algorithm
//     r := sqrt(p.x ^ 2.0 + p.y ^ 2.0)
//   end Small.norm
//   parameter Real body.m = 2.0
//   Real body.p.x
//   Real body.p.y
//   Real body.r
// equation
//   der(body.p.x) = 1.0 / body.m
//   der(body.p.y) = time
//   body.r = Small.norm(Small.Point(body.p.x, body.p.y))
// end Small.Small
