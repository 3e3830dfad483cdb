// An exporter has written out `for i in 1:2` and kept its `break`; a name has its subscript inside the quotes.
model WrittenOut
  type Colour = enumeration(red, green);
  Real 'x[1]' = time;
  Real x[Colour];
  Integer n;
equation
  x[Colour.red] = 'x[1]';
  x[Colour.green] = 'x[Colour.red]';
algorithm
  n := 0;
  if time < 1 then
    break;
  else
    n := n + 1;
  end if;
  if time < 2 then
    break;
  else
    n := n + 1;
  end if;
end WrittenOut;
//! expect
// model WrittenOut
//   type Colour = enumeration(red, green);
//   Real 'x[1]' = time;
//   Real x[Colour];
//   Integer n;
// equation
//   x[Colour.red] = 'x[1]';
//   x[Colour.green] = x[Colour.red];
// algorithm
//   n := 0;
//   for '$turn' in {1} loop
//     if time < 1 then
//       break;
//     else
//       n := n + 1;
//     end if;
//     if time < 2 then
//       break;
//     else
//       n := n + 1;
//     end if;
//   end for;
// end WrittenOut;
