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
