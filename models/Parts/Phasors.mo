within Parts;
package Phasors "Alternating current at one frequency"
  operator record Phasor
    Real re;
    Real im;

    encapsulated operator 'constructor'
      function fromReal
        import Parts.Phasors.Phasor;
        input Real re;
        input Real im = 0;
        output Phasor z(re = re, im = im);
      algorithm
      end fromReal;
    end 'constructor';

    encapsulated operator '-'
      function negate
        import Parts.Phasors.Phasor;
        input Phasor a;
        output Phasor b;
      algorithm
        b := Phasor(-a.re, -a.im);
      end negate;
      function subtract
        import Parts.Phasors.Phasor;
        input Phasor a;
        input Phasor b;
        output Phasor c;
      algorithm
        c := Phasor(a.re - b.re, a.im - b.im);
      end subtract;
    end '-';

    encapsulated operator function '+'
      import Parts.Phasors.Phasor;
      input Phasor a;
      input Phasor b;
      output Phasor c;
    algorithm
      c := Phasor(a.re + b.re, a.im + b.im);
    end '+';

    encapsulated operator function '*'
      import Parts.Phasors.Phasor;
      input Phasor a;
      input Phasor b;
      output Phasor c;
    algorithm
      c := Phasor(a.re*b.re - a.im*b.im, a.re*b.im + a.im*b.re);
    end '*';

    encapsulated operator function '0'
      import Parts.Phasors.Phasor;
      output Phasor z;
    algorithm
      z := Phasor(0, 0);
    end '0';
  end Phasor;

  constant Phasor j = Phasor(0, 1);

  connector Pin
    Phasor v;
    flow Phasor i;
  end Pin;

  partial model TwoPin
    Pin p, n;
    Phasor v, i;
  equation
    v = p.v - n.v;
    i = p.i;
    p.i + n.i = Phasor(0);
  end TwoPin;

  model Impedance
    extends TwoPin;
    parameter Phasor Z = Phasor(1, 0);
  equation
    v = Z*i;
  end Impedance;

  model Voltage
    extends TwoPin;
    Signals.RealInput amplitude;
  equation
    v = Phasor(amplitude);
  end Voltage;

  model Ground
    Pin p;
  equation
    p.v = Phasor(0);
  end Ground;
end Phasors;
