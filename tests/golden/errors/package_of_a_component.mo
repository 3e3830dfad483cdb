//! base 0.1.0
package 'Pipe'
  function 'pipe.WallFriction.massFlowRate_dp_staticHead'
    input Real 'dp';
    output Real 'm_flow';
    Real 'Re';
  algorithm
    'm_flow' := 'pipe.WallFriction.Internal.m_flow_of_dp_fric'('dp', 998.0, 998.0, 1e-3, 1e-3, 10.0, 0.1, 0.00785, 1500.0, 4000.0, 2.5e-4);
  end 'pipe.WallFriction.massFlowRate_dp_staticHead';

  model 'Pipe'
    Real 'm_flow';
  equation
    'm_flow' = 'pipe.WallFriction.massFlowRate_dp_staticHead'(1e4 * time);
  end 'Pipe';
end 'Pipe';
//! expect
// note[F030]: `pipe.WallFriction` is taken to be `Modelica.Fluid.Pipes.BaseClasses.WallFriction.Detailed` of the library, by texts of Partita
//   ┌─ package_of_a_component.mo:8:17
//   │
// 8 │     'm_flow' := 'pipe.WallFriction.Internal.m_flow_of_dp_fric'('dp', 998.0, 998.0, 1e-3, 1e-3, 10.0, 0.1, 0.00785, 1500.0, 4000.0, 2.5e-4);
//   │                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the file does not define this function
//   │
//   = the evidence: the function that calls it declares `Re`
//   = supplied: `Modelica.Fluid.Pipes.BaseClasses.WallFriction.Detailed.Internal.m_flow_of_dp_fric`
//
//
// note[F034]: a function that the file needs and does not define is taken from texts of Partita for the Modelica Standard Library
//   ┌─ package_of_a_component.mo:8:17
//   │
// 8 │     'm_flow' := 'pipe.WallFriction.Internal.m_flow_of_dp_fric'('dp', 998.0, 998.0, 1e-3, 1e-3, 10.0, 0.1, 0.00785, 1500.0, 4000.0, 2.5e-4);
//   │                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the file does not define this function
//   │
//   = the evidence: their full names
//   = supplied: `Modelica.Fluid.Utilities.cubicHermite_withDerivative`
//
