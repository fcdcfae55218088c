within Mutabor.Thermal;
partial model TwoPorts "Component that heat flows through"
  HeatPort port_a "Left port" annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  HeatPort port_b "Right port" annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  Units.HeatFlowRate Q_flow "Heat flow from port_a to port_b";
  Real dT(unit = "K") "Difference of the temperatures";
equation
  dT = port_a.T - port_b.T;
  port_a.Q_flow = Q_flow;
  port_b.Q_flow = -Q_flow;
  annotation(
    Documentation(info = "<html><p>Base of conductors: nothing is stored.</p></html>"),
    Icon(graphics = {
      Text(extent = {{-150, 90}, {150, 50}}, textString = "%name", textColor = {0, 0, 255})}));
end TwoPorts;
