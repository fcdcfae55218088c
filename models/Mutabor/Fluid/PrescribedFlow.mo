within Mutabor.Fluid;
model PrescribedFlow "Flow given by a signal"
  Blocks.RealInput m_flow(unit = "kg/s") "Mass flow into what is connected" annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
  Port port annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
equation
  port.m_flow = -m_flow;
  annotation(
    Documentation(info = "<html><p>Connect the signal, or write it down: <code>PrescribedFlow tap(m_flow = if time &lt; 10 then 1 else 0)</code>.</p></html>"),
    Icon(graphics = {
      Line(points = {{-60, 0}, {90, 0}}, color = {0, 127, 255}, thickness = 1, arrow = {Arrow.None, Arrow.Filled}),
      Text(extent = {{-150, 90}, {150, 50}}, textString = "%name")}));
end PrescribedFlow;
