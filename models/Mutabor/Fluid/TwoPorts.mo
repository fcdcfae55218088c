within Mutabor.Fluid;
partial model TwoPorts "Component that a liquid flows through"
  Port port_a "Left port" annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  Port port_b "Right port" annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  Units.MassFlowRate m_flow "Mass flow from port_a to port_b";
  Units.Pressure dp "Difference of the pressures";
equation
  dp = port_a.p - port_b.p;
  port_a.m_flow = m_flow;
  port_b.m_flow = -m_flow;
  annotation(
    Documentation(info = "<html><p>Base of pipes and valves: nothing is stored.</p></html>"),
    Icon(graphics = {
      Text(extent = {{-150, 90}, {150, 50}}, textString = "%name", textColor = {0, 0, 255})}));
end TwoPorts;
