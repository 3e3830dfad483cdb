// Operators of records: exact ones, converted by a constructor, element by element; a function with a record output modified.
package Numbers
  operator record Pair
    Real x;
    Real y;
    encapsulated operator 'constructor'
      function ofReal
        import Numbers.Pair;
        input Real x;
        input Real y = 0;
        output Pair result(x = x, y = y);
      algorithm
      end ofReal;
    end 'constructor';
    encapsulated operator '-'
      function negate
        import Numbers.Pair;
        input Pair a;
        output Pair b;
      algorithm
        b := Pair(-a.x, -a.y);
      end negate;
      function subtract
        import Numbers.Pair;
        input Pair a;
        input Pair b;
        output Pair c;
      algorithm
        c := Pair(a.x - b.x, a.y - b.y);
      end subtract;
    end '-';
    encapsulated operator function '*'
      import Numbers.Pair;
      input Pair a;
      input Pair b;
      output Pair c;
    algorithm
      c := Pair(a.x*b.x - a.y*b.y, a.x*b.y + a.y*b.x);
    end '*';
  end Pair;
  operator record Voltage = Pair(x(unit = "V"), y(unit = "V"));
  model Operators
    constant Pair j = Pair(0, 1);
    Voltage a = Voltage(1, 2);
    Pair b = -a*j;
    Pair c = 2*a - b;
    Pair many[2] = {a, b};
    Pair scaled[2] = 2*many;
  end Operators;
end Numbers;
//! expect
// model Numbers.Operators
//   record Numbers.Pair
//     Real x
//     Real y
//   function Numbers.Pair.constructor.ofReal
//     input Real x
//     input Real y = 0.0
//     output Numbers.Pair result = Numbers.Pair(x, y)
//   algorithm
//     result := Numbers.Pair(x, y)
//   end Numbers.Pair.constructor.ofReal
//   function Numbers.Pair.-.negate
//     input Numbers.Pair a
//     output Numbers.Pair b
//   algorithm
//     b := Numbers.Pair.constructor.ofReal(-a.x, -a.y)
//   end Numbers.Pair.-.negate
//   function Numbers.Pair.*
//     input Numbers.Pair a
//     input Numbers.Pair b
//     output Numbers.Pair c
//   algorithm
//     c := Numbers.Pair.constructor.ofReal(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x)
//   end Numbers.Pair.*
//   function Numbers.Pair.-.subtract
//     input Numbers.Pair a
//     input Numbers.Pair b
//     output Numbers.Pair c
//   algorithm
//     c := Numbers.Pair.constructor.ofReal(a.x - b.x, a.y - b.y)
//   end Numbers.Pair.-.subtract
//   constant Real j.x = Numbers.Pair.constructor.ofReal(0.0, 1.0).x /* 0.0 */
//   constant Real j.y = Numbers.Pair.constructor.ofReal(0.0, 1.0).y /* 1.0 */
//   Real a.x(unit = "V") = Numbers.Pair.constructor.ofReal(1.0, 2.0).x
//   Real a.y(unit = "V") = Numbers.Pair.constructor.ofReal(1.0, 2.0).y
//   Real b.x = Numbers.Pair.-.negate(Numbers.Pair.*(Numbers.Pair(a.x, a.y), Numbers.Pair(j.x, j.y))).x
//   Real b.y = Numbers.Pair.-.negate(Numbers.Pair.*(Numbers.Pair(a.x, a.y), Numbers.Pair(j.x, j.y))).y
//   Real c.x = Numbers.Pair.-.subtract(Numbers.Pair.*(Numbers.Pair.constructor.ofReal(2.0, 0.0), Numbers.Pair(a.x, a.y)), Numbers.Pair(b.x, b.y)).x
//   Real c.y = Numbers.Pair.-.subtract(Numbers.Pair.*(Numbers.Pair.constructor.ofReal(2.0, 0.0), Numbers.Pair(a.x, a.y)), Numbers.Pair(b.x, b.y)).y
//   Real many[1].x = a.x
//   Real many[1].y = a.y
//   Real many[2].x = b.x
//   Real many[2].y = b.y
//   Real scaled[1].x = Numbers.Pair.*(Numbers.Pair.constructor.ofReal(2.0, 0.0), Numbers.Pair(many[1].x, many[1].y)).x
//   Real scaled[1].y = Numbers.Pair.*(Numbers.Pair.constructor.ofReal(2.0, 0.0), Numbers.Pair(many[1].x, many[1].y)).y
//   Real scaled[2].x = Numbers.Pair.*(Numbers.Pair.constructor.ofReal(2.0, 0.0), Numbers.Pair(many[2].x, many[2].y)).x
//   Real scaled[2].y = Numbers.Pair.*(Numbers.Pair.constructor.ofReal(2.0, 0.0), Numbers.Pair(many[2].x, many[2].y)).y
// end Numbers.Operators
