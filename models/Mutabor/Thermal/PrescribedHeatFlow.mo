within Mutabor.Thermal;
model PrescribedHeatFlow "Heat flow given by a signal"
  Blocks.RealInput Q_flow(unit = "W") "Heat flow into what is connected" annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
  HeatPort port annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
equation
  port.Q_flow = -Q_flow;
  annotation(
    Documentation(info = "<html><p>Connect the signal, or write it down: <code>PrescribedHeatFlow heater(Q_flow = if on then 1000 else 0)</code>.</p></html>"),
    Icon(graphics = {
      Line(points = {{-60, 0}, {90, 0}}, color = {191, 0, 0}, thickness = 1, arrow = {Arrow.None, Arrow.Filled}),
      Text(extent = {{-150, 90}, {150, 50}}, textString = "%name")}));
end PrescribedHeatFlow;
