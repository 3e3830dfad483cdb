partial model Base
  Real x;
end Base;
package P
  partial model Part
    extends Base;
    replaceable Real y = 1;
  end Part;
end P;
//! expect
// error[N001]: there is no model in this file
//
