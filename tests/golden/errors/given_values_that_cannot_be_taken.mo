// Each value that the user gives is refused with the reason.
//! set constnat=1, k=1, f=1, n=2.5, b=maybe, m=medium, r=1e400, s.start=2
//! set v={1,2,3}, r={1,2}, v[3]=1, v[1,2]=1, r[1]=1, w=1, w={{1,2},{3}}
//! set x.nominal=3, stopTime=3, rec=1, rec.b=true, g=3
model GivenValuesThatCannotBeTaken
  type Mode = enumeration(slow, fast);
  record Rec
    Real b;
    Real c;
  end Rec;
  constant Real k = 1;
  final parameter Real f = 2;
  parameter Integer n = 3;
  parameter Boolean b = true;
  parameter Mode m = Mode.slow;
  parameter Real r = 1, s = 2;
  parameter Real v[2] = {1, 2};
  parameter Real w[2, 2] = {{1, 2}, {3, 4}};
  parameter Rec rec = Rec(1, 2);
  Real g(final start = 1, fixed = true);
  Real x(start = 1, fixed = true);
equation
  der(x) = -r*x;
  der(g) = -g;
end GivenValuesThatCannotBeTaken;
