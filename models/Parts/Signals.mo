within Parts;
package Signals "Blocks and the buses between them"
  connector RealInput = input Real "a signal that enters";
  connector RealOutput = output Real "a signal that leaves";
  connector BooleanInput = input Boolean;
  connector BooleanOutput = output Boolean;

  type Init = enumeration(free "nothing is said", steady "no slope at the start", value "the value at the start");

  expandable connector Bus "Signals by their names"
  end Bus;

  partial block SingleOutput
    RealOutput y;
  end SingleOutput;

  partial block SingleInput "One signal to another"
    extends SingleOutput;
    RealInput u;
  end SingleInput;

  block Constant
    extends SingleOutput;
    parameter Real k = 1;
  equation
    y = k;
  end Constant;

  block Step
    extends SingleOutput;
    parameter Real height = 1, offset = 0;
    parameter Real startTime(unit = "s") = 0;
  equation
    y = offset + (if time < startTime then 0 else height);
  end Step;

  block Sine
    import Parts.Constants.pi;
    extends SingleOutput;
    parameter Real amplitude = 1, f(unit = "Hz") = 1, phase = 0;
  equation
    y = amplitude*sin(2*pi*f*time + phase);
  end Sine;

  block Gain
    extends SingleInput;
    parameter Real k = 1;
  equation
    y = k*u;
  end Gain;

  block Curve "A function that the user chooses"
    extends SingleInput;
    replaceable function f = identity_ constrainedby Parts.Characteristic;
  protected
    function identity_
      extends Parts.Characteristic;
    algorithm
      y := u;
    end identity_;
  equation
    y = f(u);
  end Curve;

  block Sum "Weighted sum of any number of signals"
    parameter Integer n(min = 1) = 2;
    parameter Real k[n] = ones(n);
    RealInput u[n];
    RealOutput y;
  equation
    y = k*u;
  end Sum;

  block Difference
    RealInput reference, measured;
    RealOutput y;
  equation
    y = reference - measured;
  end Difference;

  block Integrator
    extends SingleInput;
    parameter Real k = 1;
    parameter Init init = Init.value;
    parameter Real y_start = 0;
  initial equation
    if init == Init.value then
      y = y_start;
    elseif init == Init.steady then
      der(y) = 0;
    end if;
  equation
    der(y) = k*u;
  end Integrator;

  block PI
    extends SingleInput;
    parameter Real k = 1;
    parameter Real T(unit = "s") = 1;
  protected
    Gain proportional(k = k);
    Integrator integral(k = k/T);
    Sum sum(n = 2);
  equation
    connect(u, proportional.u);
    connect(u, integral.u);
    connect(proportional.y, sum.u[1]);
    connect(integral.y, sum.u[2]);
    connect(sum.y, y);
  end PI;

  block Limiter
    extends SingleInput;
    parameter Real high = 1;
    parameter Real low = -high;
  equation
    assert(high >= low, "the limits are in the wrong order");
    y = smooth(0, if u > high then high elseif u < low then low else u);
  end Limiter;

  block Hysteresis
    RealInput u;
    BooleanOutput y;
    parameter Real low, high;
    parameter Boolean start = false;
  initial equation
    pre(y) = start;
  equation
    y = u > high or pre(y) and u >= low;
  end Hysteresis;

  block Sampled "Holds a signal between instants"
    extends SingleInput;
    parameter Real period(unit = "s") = 0.1;
  protected
    discrete Real held(start = 0, fixed = true);
  algorithm
    when sample(0, period) then
      held := u;
    end when;
  equation
    y = held;
  end Sampled;
end Signals;
