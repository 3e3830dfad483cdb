// A function of a package that a component may exchange: what calls it declares `Re`, as only detailed wall friction does. The file has
// one function of that package itself.
package Pipe
  function 'pipe.WallFriction.massFlowRate_dp_staticHead'
    input Real dp;
    output Real m_flow;
  protected
    Real Re;
  algorithm
    m_flow := 'pipe.WallFriction.Internal.dp_fric_of_m_flow'(dp, 998.0, 998.0, 1e-3, 1e-3, 10.0, 0.1, 0.00785, 1500.0, 4000.0, 2.5e-4);
  end 'pipe.WallFriction.massFlowRate_dp_staticHead';

  model Pipe
    Real m_flow = 'pipe.WallFriction.massFlowRate_dp_staticHead'(1e4*time);
  end Pipe;
end Pipe;
//! expect
// supplied Modelica.Fluid.Pipes.BaseClasses.WallFriction.Detailed.Internal.dp_fric_of_m_flow: from the texts of Partita for Modelica.Fluid.Pipes.BaseClasses.WallFriction.Detailed, since the function that calls it declares `Re`
// another name pipe.WallFriction.Internal.dp_fric_of_m_flow
// supplied Modelica.Fluid.Utilities.cubicHermite_withDerivative: from the texts of Partita, by its full name
//
// package Pipe
//   function 'pipe.WallFriction.massFlowRate_dp_staticHead'
//     input Real dp;
//     output Real m_flow;
//   protected
//     Real Re;
//   algorithm
//     m_flow := 'pipe.WallFriction.Internal.dp_fric_of_m_flow'(dp, 998.0, 998.0, 0.001, 0.001, 10.0, 0.1, 0.00785, 1500.0, 4000.0, 0.00025);
//   end 'pipe.WallFriction.massFlowRate_dp_staticHead';
//   model Pipe
//     Real m_flow = 'pipe.WallFriction.massFlowRate_dp_staticHead'(10000.0 * time);
//   end Pipe;
// end Pipe;
// function 'Modelica.Fluid.Pipes.BaseClasses.WallFriction.Detailed.Internal.dp_fric_of_m_flow' "Friction pressure of a mass flow: Hagen-Poiseuille, Swamee-Jain, a cubic in logarithms between"
//   input Real 'm_flow';
//   input Real 'rho_a';
//   input Real 'rho_b';
//   input Real 'mu_a';
//   input Real 'mu_b';
//   input Real 'length';
//   input Real 'diameter';
//   input Real 'crossArea';
//   input Real 'Re1';
//   input Real 'Re2';
//   input Real 'Delta';
//   output Real 'dp_fric';
//   output Real 'ddp_fric_dm_flow';
//   Real 'mu' = if 'm_flow' >= 0.0 then 'mu_a' else 'mu_b';
//   Real 'rho' = if 'm_flow' >= 0.0 then 'rho_a' else 'rho_b';
//   Real 'k' "Re over the mass flow";
//   Real 'Re';
//   Real 'lambda2';
//   Real 'slope';
//   Real 'a';
//   Real 'y';
//   Real 'd';
// algorithm
//   'k' := 'diameter' / ('crossArea' * 'mu');
//   'Re' := 'k' * abs('m_flow');
//   if 'Re' <= 'Re1' then
//     'lambda2' := 64.0 * 'Re';
//     'd' := 64.0 * 'k';
//   elseif 'Re' >= 'Re2' then
//     'a' := 'Delta' / 3.7 + 5.74 / 'Re' ^ 0.9;
//     'lambda2' := 0.25 * ('Re' / log10('a')) ^ 2;
//     'd' := 0.5 * 'k' * 'Re' * log(10.0) ^ 2 * (1.0 / log('a') ^ 2 + 5.74 * 0.9 / (log('a') ^ 3 * 'Re' ^ 0.9 * 'a'));
//   else
//     'a' := 'Delta' / 3.7 + 5.74 / 'Re2' ^ 0.9;
//     ('y', 'slope') := 'Modelica.Fluid.Utilities.cubicHermite_withDerivative'(log10('Re'), log10('Re1'), log10('Re2'), log10(64.0 * 'Re1'), log10(0.25 * ('Re2' / log10('a')) ^ 2), 1.0, 2.0 + 2.0 * 5.74 * 0.9 / (log('a') * 'Re2' ^ 0.9 * 'a'));
//     'lambda2' := 10.0 ^ 'y';
//     'd' := 'lambda2' / abs('m_flow') * 'slope';
//   end if;
//   'dp_fric' := 'length' * 'mu' * 'mu' / (2.0 * 'rho' * 'diameter' ^ 3) * (if 'm_flow' >= 0.0 then 'lambda2' else -'lambda2');
//   'ddp_fric_dm_flow' := 'length' * 'mu' * 'mu' / (2.0 * 'rho' * 'diameter' ^ 3) * 'd';
//   annotation(smoothOrder = 1);
// end 'Modelica.Fluid.Pipes.BaseClasses.WallFriction.Detailed.Internal.dp_fric_of_m_flow';
// function 'pipe.WallFriction.Internal.dp_fric_of_m_flow' = 'Modelica.Fluid.Pipes.BaseClasses.WallFriction.Detailed.Internal.dp_fric_of_m_flow';
// function 'Modelica.Fluid.Utilities.cubicHermite_withDerivative' "Cubic through two points with given slopes, and its slope"
//   input Real 'x';
//   input Real 'x1';
//   input Real 'x2';
//   input Real 'y1';
//   input Real 'y2';
//   input Real 'y1d';
//   input Real 'y2d';
//   output Real 'y';
//   output Real 'dy_dx';
//   Real 'h' = 'x2' - 'x1';
//   Real 't';
// algorithm
//   if abs('h') > 0.0 then
//     't' := ('x' - 'x1') / 'h';
//     'y' := 'y1' + 't' ^ 2 * (3.0 - 2.0 * 't') * ('y2' - 'y1') + 'h' * 't' * ('t' - 1.0) * (('t' - 1.0) * 'y1d' + 't' * 'y2d');
//     'dy_dx' := 6.0 * 't' * (1.0 - 't') * ('y2' - 'y1') / 'h' + ('t' - 1.0) * (3.0 * 't' - 1.0) * 'y1d' + 't' * (3.0 * 't' - 2.0) * 'y2d';
//   else
//     'y' := ('y1' + 'y2') / 2.0;
//     'dy_dx' := sign('y2' - 'y1') * 1e60;
//   end if;
//   annotation(smoothOrder = 3);
// end 'Modelica.Fluid.Utilities.cubicHermite_withDerivative';
