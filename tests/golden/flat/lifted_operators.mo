// Functions of one number or record are those of all elements of an array, also as operands of operators of records.
package Lifted
  operator record C
    Real re;
    Real im;
    operator 'constructor'
      function fromReal
        input Real re;
        input Real im = 0;
        output C c(re = re, im = im);
      algorithm
      end fromReal;
    end 'constructor';
    operator '*'
      function multiply
        input C a;
        input C b;
        output C c;
      algorithm
        c := C(a.re*b.re - a.im*b.im, a.re*b.im + a.im*b.re);
      end multiply;
      function scalarProduct
        input C a[:];
        input C b[size(a, 1)];
        output C c;
      algorithm
        c := C(0);
        for i in 1:size(a, 1) loop
          c := C(c.re + a[i].re*b[i].re - a[i].im*b[i].im, c.im + a[i].re*b[i].im + a[i].im*b[i].re);
        end for;
      end scalarProduct;
    end '*';
  end C;
  function conj
    input C a;
    output C b;
  algorithm
    b := C(a.re, -a.im);
  end conj;
  model LiftedOperators
    C v[2];
    C i[2];
    C power[2];
    C total;
    Real flows[2] = semiLinear(time - 1, {1, 2}, {3, 4});
    Real none[0] = semiLinear(time - 1, zeros(0), zeros(0));
  equation
    v = {C(1, time), C(2, time)};
    i = {C(time, 1), C(time, 2)};
    power = v .* conj(i);
    total = v*conj(i);
  end LiftedOperators;
end Lifted;
//! expect
// model Lifted.LiftedOperators
//   record Lifted.C
//     Real re
//     Real im
//   function Lifted.C.constructor.fromReal
//     input Real re
//     input Real im = 0.0
//     output Lifted.C c = Lifted.C(re, im)
//   algorithm
//     c := Lifted.C(re, im)
//   end Lifted.C.constructor.fromReal
//   function Lifted.C.*.multiply
//     input Lifted.C a
//     input Lifted.C b
//     output Lifted.C c
//   algorithm
//     c := Lifted.C.constructor.fromReal(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re)
//   end Lifted.C.*.multiply
//   function Lifted.conj
//     input Lifted.C a
//     output Lifted.C b
//   algorithm
//     b := Lifted.C.constructor.fromReal(a.re, -a.im)
//   end Lifted.conj
//   function Lifted.C.*.scalarProduct
//     input Lifted.C[:] a
//     input Lifted.C[size(a, 1)] b
//     output Lifted.C c
//   algorithm
//     c := Lifted.C.constructor.fromReal(0.0, 0.0)
//     for i in 1:size(a, 1) loop
//       c := Lifted.C.constructor.fromReal(c.re + a[i].re * b[i].re - a[i].im * b[i].im, c.im + a[i].re * b[i].im + a[i].im * b[i].re)
//     end for
//   end Lifted.C.*.scalarProduct
//   Real[2] flows = semiLinear(time - 1.0, {1.0, 2.0}, {3.0, 4.0})
//   Real[0] none = semiLinear(time - 1.0, /*Real*/(zeros(0)), /*Real*/(zeros(0)))
//   Real v[1].re
//   Real v[1].im
//   Real v[2].re
//   Real v[2].im
//   Real i[1].re
//   Real i[1].im
//   Real i[2].re
//   Real i[2].im
//   Real power[1].re
//   Real power[1].im
//   Real power[2].re
//   Real power[2].im
//   Real total.re
//   Real total.im
// equation
//   {Lifted.C(v[1].re, v[1].im), Lifted.C(v[2].re, v[2].im)} = {Lifted.C.constructor.fromReal(1.0, time), Lifted.C.constructor.fromReal(2.0, time)}
//   {Lifted.C(i[1].re, i[1].im), Lifted.C(i[2].re, i[2].im)} = {Lifted.C.constructor.fromReal(time, 1.0), Lifted.C.constructor.fromReal(time, 2.0)}
//   {Lifted.C(power[1].re, power[1].im), Lifted.C(power[2].re, power[2].im)} = {Lifted.C.*.multiply(Lifted.C(v[1].re, v[1].im), {Lifted.conj({Lifted.C(i[1].re, i[1].im), Lifted.C(i[2].re, i[2].im)}[$i1]) for $i1 in 1:2}[1]), Lifted.C.*.multiply(Lifted.C(v[2].re, v[2].im), {Lifted.conj({Lifted.C(i[1].re, i[1].im), Lifted.C(i[2].re, i[2].im)}[$i1]) for $i1 in 1:2}[2])}
//   Lifted.C(total.re, total.im) = Lifted.C.*.scalarProduct({Lifted.C(v[1].re, v[1].im), Lifted.C(v[2].re, v[2].im)}, {Lifted.conj({Lifted.C(i[1].re, i[1].im), Lifted.C(i[2].re, i[2].im)}[$i1]) for $i1 in 1:2})
// end Lifted.LiftedOperators
