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
