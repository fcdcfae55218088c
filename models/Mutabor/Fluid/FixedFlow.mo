within Mutabor.Fluid;
model FixedFlow "Constant flow"
  parameter Units.MassFlowRate m_flow = 1 "Mass flow into what is connected";
  Port port annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
equation
  port.m_flow = -m_flow;
  annotation(
    Documentation(info = "<html><p>A pump that gives its flow at any pressure.</p></html>"),
    Icon(graphics = {
      Line(points = {{-60, 0}, {90, 0}}, color = {0, 127, 255}, thickness = 1, arrow = {Arrow.None, Arrow.Filled}),
      Text(extent = {{-150, 90}, {150, 50}}, textString = "%name")}));
end FixedFlow;
